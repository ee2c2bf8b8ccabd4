import { sql } from '../../platform/db/db.ts'
import { findByText, MATCHES, type TextPosition } from '../../platform/db/find-by-text.ts'
import { operation } from '../../platform/operation.ts'
import { oneOf, requiredText, type Static, Type } from '../../platform/schema.ts'

const PATH = '/v2/organizations/search'

const Found = Type.Object({
  organizationId: Type.String(),
  organizationName: Type.Optional(Type.String()),
  disabled: Type.Boolean(),
})

/** Finds organizations of the API key by name or id. */
export const searchOrganizations = operation({
  path: PATH,
  auth: 'apiKey',
  access: 'read',
  summary: 'Search organizations by name',
  description:
    '`prefix` finds organizations whose name begins with the query (the id, where there is no name), then the one whose ' +
    'id it is. `contains` looks into name and id and reads at most 20,000 organizations a call: a page may be short or ' +
    'empty though `nextPageToken` says that there are others.',
  input: Type.Object({
    query: requiredText('What to look for, in upper or lower case.', 256),
    match: Type.Optional(oneOf([...MATCHES], 'Default: `prefix`.')),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default: 20.' })),
    pageToken: Type.Optional(Type.String({ description: 'From the previous page.' })),
  }),
  example: { query: 'lark', match: 'prefix' },
  output: Type.Array(Found),
  errors: [],
  message: 'Organizations retrieved successfully.',
  page: 'nextPageToken',
}).run(async ({ db, tenant: { apiKey }, input, pageTokens }) => {
  const { query, match = 'prefix', pageSize = 20, pageToken } = input
  const scope = { operation: PATH, tenant: apiKey, filters: { query, match } }
  const after = pageToken === undefined ? undefined : (pageTokens.open(scope, pageToken) as TextPosition)
  const texts = [sql`coalesce(t.name, t.id)`]
  const search = { table: sql`organization t`, apiKey, texts, query, match, after, limit: pageSize }
  const { keys, next } = await findByText(db, search)
  const rows = await db.query<Static<typeof Found> & { organizationName: string | null }>(sql`
    select o.id as "organizationId", o.name as "organizationName", o.disabled
    from unnest(${keys}::uuid[]) with ordinality as k (key, place)
    join organization o on o.api_key = ${apiKey} and o.key = k.key and o.retired_at is null
    order by k.place`)
  const data = rows.map(({ organizationName, ...organization }) => ({
    ...organization,
    ...(organizationName !== null && { organizationName }),
  }))
  return { data, next: next && pageTokens.seal(scope, next) }
})
