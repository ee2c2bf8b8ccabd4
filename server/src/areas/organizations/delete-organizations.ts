import { resultsOf } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, join, raw, sql } from '../../platform/db/db.ts'
import { ensureStatistics } from '../../platform/db/statistics.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { OrganizationResults } from './organization.ts'
import { type OrganizationDeleted, organizationsDeleted, organizationsRetired } from './organization-event.ts'
import { organizationKeyOf } from './organization-key.ts'
import { forgetKeys, mayBeRenewed, renewKeys } from './renewed-keys.ts'
import { retireOrganizations } from './retire-organizations.ts'

/** One call removes so many threads by itself, and ten times as many of each other record. Jobs remove the rest. */
const MOST_THREADS = 1_000
const OTHER_RECORDS = [
  ...['document', 'folder', 'comment', 'reaction', 'recording', 'notification', 'activity_entry'],
  ...['access_grant', 'user_group', 'user_group_member', 'email'],
]

/** Deletes organizations for good, with their folders, documents, users' access and everything in them. */
export const deleteOrganizations = operation({
  path: '/v2/organizations/delete',
  twin: '/v1/organizations/delete',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Delete organizations',
  description:
    'Nobody sees them afterwards, and their ids are free. The smallest ones are removed at once, with about 1,000 ' +
    'threads, or 10,000 of another record, in all. What is in others is removed after the answer; ' +
    '`/v2/organizations/delete/status` tells how far that is.',
  input: Type.Object({ organizationIds: Type.Array(identifier('Id of an organization.')) }),
  example: { organizationIds: ['acme'] },
  output: OrganizationResults,
  errors: [],
  message: 'Organization(s) deleted successfully.',
}).run(async ({ db, tenant, input, emit }) => {
  const ids = new Set(input.organizationIds)
  const keys = [...ids].map((id) => organizationKeyOf(tenant, id))
  const large = await findLarge(db, tenant, keys)
  const found = await lockDoomed(db, tenant, keys)
  const retired = await mayBeRenewed(
    db,
    tenant,
    large.flatMap((key) => found.find(({ organizationKey }) => organizationKey === key) ?? []),
  )
  const others = found.filter((organization) => !retired.includes(organization))
  await emit(organizationsRetired, retired)
  await emit(organizationsDeleted, others)
  await ensureStatistics(db)
  await retireOrganizations(db, tenant, retired)
  await db.query(sql`
    delete from organization
    where api_key = ${tenant.apiKey} and key = any(${others.map(({ organizationKey }) => organizationKey)}::uuid[])`)
  // At last, because whoever creates an organization waits for it.
  await renewKeys(db, tenant, idsOf(retired))
  await forgetKeys(
    db,
    tenant,
    idsOf(others).filter((id) => organizationKeyOf(tenant, id) !== keyOf(id)),
  )
  const deleted = new Set(found.map(({ organizationId }) => organizationId))
  return resultsOf(ids, (id) =>
    deleted.has(id)
      ? { success: true, message: 'Deleted Successfully' }
      : { success: false, message: 'Organization does not exist' },
  )
})

const idsOf = (organizations: OrganizationDeleted[]) => organizations.map(({ organizationId }) => organizationId)

/** The keys of organizations whose removal, after that of all smaller ones, would take seconds; the largest first. */
async function findLarge(db: Db, { apiKey }: ApiKeyTenant, keys: string[]): Promise<string[]> {
  const share = (table: string, most: number) => sql`
    (select count(*)
     from (select from ${raw(table)} where api_key = ${apiKey} and organization_key = o.key limit ${most + 1}) r
    ) / ${most}::float8`
  const threads = share('comment_annotation', MOST_THREADS)
  const others = OTHER_RECORDS.map((table) => share(table, 10 * MOST_THREADS))
  const rows = await db.query<{ key: string }>(sql`
    select key
    from (
      select key, sum(share) over (order by share, key) as total
      from (
        select key, greatest(${join([threads, ...others])}) as share
        from organization o
        where api_key = ${apiKey} and key = any(${keys}::uuid[])
      ) o
    ) o
    where total > 1
    order by total desc`)
  return rows.map(({ key }) => key)
}

/** Locks the organizations that are to be deleted, in the order of their keys. */
function lockDoomed(db: Db, { apiKey }: ApiKeyTenant, keys: string[]): Promise<OrganizationDeleted[]> {
  return db.query<OrganizationDeleted>(sql`
    select key as "organizationKey", id as "organizationId"
    from organization
    where api_key = ${apiKey} and key = any(${keys}::uuid[]) and retired_at is null
    order by key
    for update`)
}
