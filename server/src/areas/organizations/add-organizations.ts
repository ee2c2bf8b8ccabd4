import { lastById, resultsOf } from '../../platform/bulk.ts'
import { json, sql } from '../../platform/db/db.ts'
import { inTurn } from '../../platform/db/list-lock.ts'
import { hexId } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { oversizedItems } from '../../platform/record-size.ts'
import { itemResult, mapOf, Type } from '../../platform/schema.ts'
import { OrganizationInput, organizationMetadata } from './organization.ts'
import { organizationKeyOf } from './organization-key.ts'

/** Adds organizations with their custom metadata. An organization that exists does not change. */
export const addOrganizations = operation({
  path: '/v2/organizations/add',
  twin: '/v1/organizations/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Add organizations',
  input: Type.Object({ organizations: Type.Array(OrganizationInput) }),
  example: { organizations: [{ organizationId: 'acme', organizationName: 'Acme' }] },
  output: mapOf(itemResult({ id: Type.Optional(Type.String()) }), 'One result per organization id.'),
  errors: [],
  message: 'Organization(s) added successfully.',
  check: ({ organizations }) => oversizedItems('organizations', organizations),
}).run(async ({ db, tenant, input }) => {
  const organizations = lastById(input.organizations, (organization) => organization.organizationId)
  const list = [...organizations.values()]
  // Positions are taken in the order of the request; rows are locked in the order of keys.
  const inserted = await inTurn(db, `organization ${tenant.apiKey}`).query<{ id: string }>(sql`
    insert into organization (api_key, key, id, name, metadata, seq)
    overriding system value
    select ${tenant.apiKey}, i.key, i.id, i.name, i.metadata, i.seq
    from (
      select u.key, u.id, u.name, u.metadata, nextval('organization_seq_seq') as seq
      from unnest(
        ${list.map((organization) => organizationKeyOf(tenant, organization.organizationId))}::uuid[],
        ${list.map((organization) => organization.organizationId)}::text[],
        ${list.map((organization) => organization.organizationName ?? null)}::text[],
        ${list.map((organization) => json(organizationMetadata(organization)))}::jsonb[]
      ) with ordinality as u (key, id, name, metadata, position)
      order by u.position
    ) i
    order by i.key
    on conflict (api_key, key) do nothing
    returning id`)
  const added = new Set(inserted.map(({ id }) => id))
  return resultsOf(organizations.keys(), (id) =>
    added.has(id)
      ? { success: true, id: hexId('organization', tenant.apiKey, id), message: 'Added Successfully' }
      : { success: false, message: 'Organization already exists' },
  )
})
