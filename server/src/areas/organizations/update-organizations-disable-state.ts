import { resultsOf } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { lockOrganizations } from './lock-rows.ts'
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
  example: { organizationIds: ['acme'], disabled: true },
  output: OrganizationResults,
  errors: [],
  message: 'Disable state of organization(s) updated successfully.',
}).run(async ({ db, tenant, input }) => {
  const ids = new Set(input.organizationIds)
  const keys = [...ids].map((id) => organizationKeyOf(tenant, id))
  db.send(lockOrganizations(tenant.apiKey, keys))
  const updated = await db.query<{ id: string }>(sql`
    update organization
    set disabled = ${input.disabled}, updated_at = now_ms()
    where api_key = ${tenant.apiKey} and key = any(${keys}::uuid[])
    returning id`)
  const known = new Set(updated.map(({ id }) => id))
  return resultsOf(ids, (id) =>
    known.has(id)
      ? { success: true, message: 'Updated disable state for organization Successfully' }
      : { success: false, message: 'Organization does not exist' },
  )
})
