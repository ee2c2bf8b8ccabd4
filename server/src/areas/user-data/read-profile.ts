import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, raw, type Sql, sql } from '../../platform/db/db.ts'
import { isRemoved } from '../permissions/access/removed-user.ts'
import { toUser, type User, type UserRow, userColumns } from '../users/user.ts'
import type { Subject } from './export.ts'

/** The tables that name a user of an organization, with the column that does. */
const TRACES = [
  ['access_grant', 'user_key'],
  ['former_access', 'user_key'],
  ['comment_participant', 'user_key'],
  ['reaction', 'from_key'],
  ['recording', 'user_key'],
  ['notification_recipient', 'user_key'],
  ['notification', 'actor_key'],
] as const

/**
 * The profile of a user who is or was a member of the organization, holds or held a grant there, or has content there;
 * else null.
 */
export async function readProfile(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, userKey }: Pick<Subject, 'organizationKey' | 'userKey'>,
): Promise<User | null> {
  const { apiKey } = tenant
  const traceIn = (table: string, column: string): Sql => sql`
    or exists (
      select
      from ${raw(table)} t
      where t.api_key = ${apiKey} and t.organization_key = ${organizationKey} and t.${raw(column)} = ${userKey}
    )`
  const traces = TRACES.map(([table, column]) => traceIn(table, column)).reduce((all, each) => sql`${all} ${each}`)
  const [row] = await db.query<UserRow>(sql`
    select ${userColumns}
    from app_user u
    where u.api_key = ${apiKey} and u.key = ${userKey}
      and (${isRemoved(apiKey, sql`${organizationKey}::uuid`, sql`${userKey}::uuid`)} ${traces})`)
  return row ? toUser(row) : null
}
