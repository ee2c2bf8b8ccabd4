import { resultsOf } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { ensureStatistics } from '../../platform/db/statistics.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { OrganizationResults } from './organization.ts'
import { organizationsDeleted } from './organization-event.ts'

/** Deletes organizations for good, with their folders, documents, users' access and everything in them. */
export const deleteOrganizations = operation({
  path: '/v2/organizations/delete',
  twin: '/v1/organizations/delete',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Delete organizations',
  input: Type.Object({ organizationIds: Type.Array(identifier('Id of an organization.')) }),
  output: OrganizationResults,
  errors: [],
  message: 'Organization(s) deleted successfully.',
}).run(async ({ db, tenant, input, emit }) => {
  const ids = new Set(input.organizationIds)
  const rows = await db.query<{ key: string; id: string }>(sql`
    select key, id
    from organization
    where api_key = ${tenant.apiKey} and key = any(${[...ids].map(keyOf)}::uuid[])
    order by key
    for update`)
  await emit(
    organizationsDeleted,
    rows.map(({ key, id }) => ({ organizationKey: key, organizationId: id })),
  )
  await ensureStatistics(db)
  await db.query(sql`
    delete from organization
    where api_key = ${tenant.apiKey} and key = any(${rows.map(({ key }) => key)}::uuid[])`)
  const deleted = new Set(rows.map(({ id }) => id))
  return resultsOf(ids, (id) =>
    deleted.has(id)
      ? { success: true, message: 'Deleted Successfully' }
      : { success: false, message: 'Organization does not exist' },
  )
})
