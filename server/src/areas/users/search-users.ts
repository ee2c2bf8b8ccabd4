import { sql } from '../../platform/db/db.ts'
import { findByText, MATCHES, type TextPosition } from '../../platform/db/find-by-text.ts'
import { operation } from '../../platform/operation.ts'
import { oneOf, requiredText, type Static, Type } from '../../platform/schema.ts'
import { isRetired } from '../organizations/organization-key.ts'
import { isLive } from '../permissions/access/grant.ts'

const PATH = '/v2/users/search'

const Found = Type.Object({
  userId: Type.String(),
  name: Type.String({ description: 'The id, if no name was ever given.' }),
  email: Type.Optional(Type.String()),
  organizationIds: Type.Array(Type.String(), { description: 'Up to 20 of the organizations the user belongs to.' }),
})

/** Finds users of the API key, in all its organizations, by name, address or id. */
export const searchUsers = operation({
  path: PATH,
  auth: 'apiKey',
  access: 'read',
  summary: 'Search users by name or address',
  description:
    '`prefix` finds users whose name begins with the query, then those whose address does, then the one whose id it is. ' +
    '`contains` looks into name, address and id and reads at most 20,000 users a call: a page may be short or empty ' +
    'though `nextPageToken` says that there are others.',
  input: Type.Object({
    query: requiredText('What to look for, in upper or lower case.', 256),
    match: Type.Optional(oneOf([...MATCHES], 'Default: `prefix`.')),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default: 20.' })),
    pageToken: Type.Optional(Type.String({ description: 'From the previous page.' })),
  }),
  example: { query: 'nad', match: 'prefix' },
  output: Type.Array(Found),
  errors: [],
  message: 'Users retrieved successfully.',
  page: 'nextPageToken',
}).run(async ({ db, tenant: { apiKey }, input, pageTokens }) => {
  const { query, match = 'prefix', pageSize = 20, pageToken } = input
  const scope = { operation: PATH, tenant: apiKey, filters: { query, match } }
  const after = pageToken === undefined ? undefined : (pageTokens.open(scope, pageToken) as TextPosition)
  const texts = [sql`coalesce(t.name, t.id)`, sql`t.email`]
  const search = { table: sql`app_user t`, apiKey, texts, query, match, after, limit: pageSize }
  const { keys, next } = await findByText(db, search)
  const rows = await db.query<Static<typeof Found> & { email: string | null }>(sql`
    select u.id as "userId", coalesce(u.name, u.id) as name, u.email,
      (select coalesce(jsonb_agg(o.id), '[]')
       from (
         select organization_key from access_grant g
         where g.api_key = ${apiKey} and g.user_key = u.key and g.resource_type = 'organization'
           and ${isLive}
           and not ${isRetired(apiKey, sql`g.organization_key`)}
         order by organization_key
         limit 20
       ) g
       join organization o on o.api_key = ${apiKey} and o.key = g.organization_key) as "organizationIds"
    from unnest(${keys}::uuid[]) with ordinality as k (key, place)
    join app_user u on u.api_key = ${apiKey} and u.key = k.key
    order by k.place`)
  const data = rows.map(({ email, ...user }) => ({ ...user, ...(email && { email }) }))
  return { data, next: next && pageTokens.seal(scope, next) }
})
