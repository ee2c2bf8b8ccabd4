import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { organizationKeyOf } from '../../organizations/organization-key.ts'
import { isLive } from '../../permissions/access/grant.ts'
import type { User } from '../../users/user.ts'
import { admits, type Visibility } from './visibility.ts'

type Tenant = Pick<ApiKeyTenant, 'apiKey' | 'organizationKeys'>

/** Whether a thread of the visibility, by the author, is shown to a user. */
export type MaySee = (visibility: Visibility, author: Pick<User, 'userId'>, userId: string) => boolean

/**
 * Returns whether the visibility of a thread lets a user see it, for threads of these visibilities and users with these
 * keys. Its author always sees it. It does not check access to the document.
 */
export async function readMaySee(
  db: Db,
  tenant: Tenant,
  visibilities: Visibility[],
  userKeys: string[],
): Promise<MaySee> {
  const isMember = await readMemberships(db, tenant, [...new Set(visibilities.flatMap(organizationOf))], userKeys)
  return (visibility, author, userId) =>
    userId === author.userId ||
    (admits(visibility, userId) && organizationOf(visibility).every((id) => isMember(id, userId)))
}

/** The organization that threads of the visibility are private to, if any. */
const organizationOf = ({ type, organizationId }: Visibility): string[] =>
  type === 'organizationPrivate' && organizationId !== undefined ? [organizationId] : []

async function readMemberships(db: Db, tenant: Tenant, organizationIds: string[], userKeys: string[]) {
  const keys = organizationIds.map((id) => organizationKeyOf(tenant, id))
  const rows =
    keys.length === 0
      ? []
      : await db.query<{ organization_key: string; user_key: string }>(sql`
          select g.organization_key, g.user_key
          from access_grant g
          where g.api_key = ${tenant.apiKey} and g.organization_key = any(${keys}::uuid[])
            and g.resource_type = 'organization' and g.resource_key = g.organization_key
            and g.user_key = any(${userKeys}::uuid[]) and ${isLive}`)
  const members = new Set(rows.map((row) => `${row.organization_key} ${row.user_key}`))
  return (organizationId: string, userId: string) =>
    members.has(`${organizationKeyOf(tenant, organizationId)} ${keyOf(userId)}`)
}
