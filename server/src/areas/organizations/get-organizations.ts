import { withFields } from '../../platform/bulk.ts'
import { empty, sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { type Cut, pageOf, withinBytes } from '../../platform/page.ts'
import { HOLDS_METADATA } from '../../platform/record-size.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from './organization-key.ts'

const PATH = '/v2/organizations/get'

interface Row extends Cut {
  seq: number
  id: string
  name: string | null
  disabled: boolean
  metadata: Record<string, unknown>
}

/** Lists organizations with their custom metadata, in the order in which they were added. Unknown ids are left out. */
export const getOrganizations = operation({
  path: PATH,
  twin: '/v1/organizations/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get organizations',
  input: Type.Object({
    organizationIds: Type.Optional(Type.Array(identifier('Id of an organization.'), { description: 'Omitted: all.' })),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 1000.' })),
    pageToken: Type.Optional(Type.String({ description: 'From the page before.' })),
  }),
  example: { organizationIds: ['example'] },
  output: Type.Array(
    Type.Object({ id: Type.String(), organizationName: Type.String(), disabled: Type.Boolean() }, HOLDS_METADATA),
    { description: 'Each with its custom metadata.' },
  ),
  errors: [],
  message: 'Organization(s) retrieved successfully.',
  page: 'nextPageToken',
}).run(async ({ db, tenant, input, pageTokens, config }) => {
  const { organizationIds, pageSize = 1000, pageToken } = input
  const scope = { operation: PATH, tenant: tenant.apiKey, filters: organizationIds ?? null }
  const after = pageToken === undefined ? 0 : Number(pageTokens.open(scope, pageToken))
  const organizations = sql`
    select seq, id, name, disabled, metadata, size
    from organization
    where api_key = ${tenant.apiKey} and seq > ${after}::bigint and retired_at is null
      ${organizationIds ? sql`and key = any(${organizationIds.map((id) => organizationKeyOf(tenant, id))}::uuid[])` : empty}
    order by seq
    limit ${pageSize + 1}`
  const rows = await db.query<Row>(withinBytes(organizations, sql`seq`, config.pageLimitBytes))
  const { page, last } = pageOf(rows, pageSize)
  return {
    data: page.map(({ id, name, disabled, metadata }) =>
      withFields(metadata, { id, organizationName: name ?? '', disabled }),
    ),
    next: last ? pageTokens.seal(scope, last.seq) : null,
  }
})
