import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { FIRST_KEY, keyOf } from '../../../platform/id.ts'
import type { CommentChange } from '../../comments/change/change.ts'
import { toUser, type User, type UserRow, userColumns } from '../../users/user.ts'
import { PORTION } from './candidates.ts'

/**
 * Reads the members of the user groups that each change mentions; no further once they are more than `enough` in all.
 */
export async function readMentionedMembers(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  { changes, enough }: { changes: CommentChange[]; enough: number },
): Promise<(change: CommentChange) => User[]> {
  const groupKeys = [...new Set(changes.flatMap(mentionedGroupsOf))].map(keyOf)
  const members = new Map<string, User[]>()
  for (let after: Member | undefined, count = 0, isLeft = groupKeys.length > 0; isLeft; ) {
    const rows = await readMembers(db, tenant, organizationKey, { groupKeys, after })
    for (const row of rows) {
      const group = members.get(row.group_key) ?? []
      group.push(toUser(row))
      members.set(row.group_key, group)
    }
    count += rows.length
    isLeft = rows.length === PORTION && count <= enough
    after = rows.at(-1)
  }
  return (change) => mentionedGroupsOf(change).flatMap((id) => members.get(keyOf(id)) ?? [])
}

interface Member extends UserRow {
  group_key: string
  user_key: string
}

const readMembers = (
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  { groupKeys, after }: { groupKeys: string[]; after: Member | undefined },
) =>
  db.query<Member>(sql`
    select m.group_key, m.user_key, ${userColumns}
    from user_group_member m
    join app_user u on u.api_key = ${tenant.apiKey} and u.key = m.user_key
    where m.api_key = ${tenant.apiKey} and m.organization_key = ${organizationKey}
      and m.group_key = any(${groupKeys}::uuid[])
      and (m.group_key, m.user_key) > (${after?.group_key ?? FIRST_KEY}::uuid, ${after?.user_key ?? FIRST_KEY}::uuid)
    order by m.group_key, m.user_key
    limit ${PORTION}`)

/** The ids of the user groups that an added comment mentions. */
const mentionedGroupsOf = ({ action, comment }: CommentChange): string[] =>
  action === 'comment_annotation.add' || action === 'comment.add'
    ? [...new Set((comment?.toOrganizationUserGroup ?? []).map(({ groupId }) => groupId).filter(isIdentifier))]
    : []

const isIdentifier = (value: unknown): value is string => typeof value === 'string' && value !== ''
