import { lastById, resultsOf } from '../../platform/bulk.ts'
import { json, sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { mayMerge, merged, OUTGROWN, oversizedItems } from '../../platform/record-size.ts'
import { Type } from '../../platform/schema.ts'
import { lockedOrganizations, lockOrganizations } from './lock-rows.ts'
import { OrganizationChange, OrganizationResults, organizationMetadata } from './organization.ts'
import { organizationKeyOf } from './organization-key.ts'

/** Changes names and custom metadata. What a request does not mention stays. */
export const updateOrganizations = operation({
  path: '/v2/organizations/update',
  twin: '/v1/organizations/update',
  auth: 'apiKey',
  access: 'write',
  summary: 'Update organizations',
  input: Type.Object({ organizations: Type.Array(OrganizationChange) }),
  example: { organizations: [{ organizationId: 'acme', organizationName: 'Acme Limited' }] },
  output: OrganizationResults,
  errors: [],
  message: 'Organization(s) updated successfully.',
  check: ({ organizations }) => oversizedItems('organizations', organizations),
}).run(async ({ db, tenant, input }) => {
  const organizations = lastById(input.organizations, (organization) => organization.organizationId)
  const list = [...organizations.values()]
  const keys = list.map((organization) => organizationKeyOf(tenant, organization.organizationId))
  db.send(lockOrganizations(tenant.apiKey, keys))
  const found = await db.query<{ id: string; isMerged: boolean }>(sql`
    with target as materialized (${lockedOrganizations(tenant.apiKey, keys)}), updated as (
      update organization o
      set name = case when i.clears_name then null else coalesce(i.name, o.name) end,
        metadata = ${merged(sql`o.metadata`, sql`i.metadata`)}, updated_at = now_ms()
      from target t
      join unnest(
        ${keys}::uuid[],
        ${list.map((organization) => organization.organizationName ?? null)}::text[],
        ${list.map((organization) => organization.organizationName === null)}::boolean[],
        ${list.map((organization) => json(organizationMetadata(organization)))}::jsonb[]
      ) as i (key, name, clears_name, metadata) on i.key = t.key
      where o.api_key = ${tenant.apiKey} and o.key = t.key and ${mayMerge(sql`o.metadata`, sql`i.metadata`)}
      returning o.key
    )
    select t.id, u.key is not null as "isMerged"
    from target t
    left join updated u on u.key = t.key`)
  const known = new Map(found.map(({ id, isMerged }) => [id, isMerged]))
  return resultsOf(organizations.keys(), (id) => {
    const isMerged = known.get(id)
    if (isMerged === undefined) return { success: false, message: 'Organization does not exist' }
    return isMerged ? { success: true, message: 'Updated Successfully' } : { success: false, message: OUTGROWN }
  })
})
