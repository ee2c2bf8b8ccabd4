import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { pageOf } from '../../platform/page.ts'
import { identifier, Type } from '../../platform/schema.ts'

const PATH = '/v2/workspace/apikeys/get'

/** The API keys of the workspace, in order of creation. */
export const getApiKeys = operation({
  path: PATH,
  auth: 'workspace',
  access: 'read',
  summary: 'Get the API keys',
  input: Type.Object({
    apiKeys: Type.Optional(Type.Array(identifier('An API key.'), { description: 'Omitted: all.' })),
    pageSize: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'How many API keys a page has at most.' }),
    ),
    pageToken: Type.Optional(Type.String({ description: 'The `nextPageToken` of the page before.' })),
  }),
  example: { pageSize: 20 },
  output: Type.Array(
    Type.Object({
      id: Type.String(),
      apiKeyName: Type.String(),
      type: Type.String({ description: 'testing or production.' }),
      disabled: Type.Optional(Type.Boolean({ description: 'True while the key is disabled; otherwise absent.' })),
    }),
  ),
  errors: [],
  message: 'API keys retrieved successfully.',
  page: 'nextPageToken',
}).run(async ({ db, tenant, input, pageTokens }) => {
  const { apiKeys = null, pageSize = 100, pageToken } = input
  const scope = { operation: PATH, tenant: tenant.workspaceId, filters: apiKeys }
  const after = pageToken === undefined ? 0 : Number(pageTokens.open(scope, pageToken))
  const rows = await db.query<{ id: string; name: string; type: string; disabled: boolean; seq: number }>(sql`
    select id, name, type, disabled, seq
    from api_key
    where workspace_id = ${tenant.workspaceId} and seq > ${after} and not deleting
      and (${apiKeys}::text[] is null or id = any(${apiKeys}::text[]))
    order by seq
    limit ${pageSize + 1}`)
  const { page, last } = pageOf(rows, pageSize)
  return {
    data: page.map(({ id, name, type, disabled }) => ({
      id,
      apiKeyName: name,
      type,
      ...(disabled && { disabled }),
    })),
    next: last ? pageTokens.seal(scope, last.seq) : null,
  }
})
