import { empty, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'

const PATH = '/v2/organizations/get'

interface Row {
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
  output: Type.Array(Type.Object({ id: Type.String(), organizationName: Type.String(), disabled: Type.Boolean() }), {
    description: 'Each with its custom metadata.',
  }),
  errors: [],
  message: 'Organization(s) retrieved successfully.',
  page: 'nextPageToken',
}).run(async ({ db, tenant, input, pageTokens }) => {
  const { organizationIds, pageSize = 1000, pageToken } = input
  const scope = { operation: PATH, tenant: tenant.apiKey, filters: organizationIds ?? null }
  const after = pageToken === undefined ? 0 : Number(pageTokens.open(scope, pageToken))
  const rows = await db.query<Row>(sql`
    select seq, id, name, disabled, metadata
    from organization
    where api_key = ${tenant.apiKey} and seq > ${after}::bigint
      ${organizationIds ? sql`and key = any(${organizationIds.map(keyOf)}::uuid[])` : empty}
    order by seq
    limit ${pageSize + 1}`)
  const page = rows.slice(0, pageSize)
  return {
    data: page.map(({ id, name, disabled, metadata }) => ({ ...metadata, id, organizationName: name ?? '', disabled })),
    next: rows.length > pageSize ? pageTokens.seal(scope, page.at(-1)?.seq) : null,
  }
})
