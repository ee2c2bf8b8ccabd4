import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'

/** The domains whose pages may call with the API key, in alphabetical order. */
export const getDomains = operation({
  path: '/v2/workspace/domains/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get the allowed domains',
  input: Type.Object({}),
  example: {},
  output: Type.Object({ allowedDomains: Type.Array(Type.String()) }),
  errors: [],
  message: 'Allowed domains retrieved successfully.',
}).run(async ({ db, tenant }) => {
  const rows = await db.query<{ domain: string }>(sql`
    select domain from allowed_domain where api_key = ${tenant.apiKey} order by domain`)
  return { allowedDomains: rows.map(({ domain }) => domain) }
})
