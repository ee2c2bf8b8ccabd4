import { resultsOf } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { OrganizationResults } from './organization.ts'
import { organizationKeyOf } from './organization-key.ts'

/** Disables organizations, or enables them again. Nobody can read or write in a disabled organization. */
export const updateOrganizationsDisableState = operation({
  path: '/v2/organizations/access/disablestate/update',
  twin: '/v1/organizations/access/disablestate/update',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Disable or enable organizations',
  input: Type.Object({
    organizationIds: Type.Array(identifier('Id of an organization.')),
    disabled: Type.Boolean({ description: 'True: nobody reads or writes its documents.' }),
  }),
  output: OrganizationResults,
  errors: [],
  message: 'Disable state of organization(s) updated successfully.',
}).run(async ({ db, tenant, input }) => {
  const ids = new Set(input.organizationIds)
  const updated = await db.query<{ id: string }>(sql`
    with target as materialized (
      select key
      from organization
      where api_key = ${tenant.apiKey} and key = any(${[...ids].map((id) => organizationKeyOf(tenant, id))}::uuid[])
      order by key
      for no key update
    )
    update organization o
    set disabled = ${input.disabled}, updated_at = now_ms()
    from target t
    where o.api_key = ${tenant.apiKey} and o.key = t.key
    returning o.id`)
  const known = new Set(updated.map(({ id }) => id))
  return resultsOf(ids, (id) =>
    known.has(id)
      ? { success: true, message: 'Updated disable state for organization Successfully' }
      : { success: false, message: 'Organization does not exist' },
  )
})
