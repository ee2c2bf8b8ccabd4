import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { pageOf } from '../../platform/page.ts'
import { type Static, Type } from '../../platform/schema.ts'
import { sessionOf } from './access/session.ts'

const PATH = '/console/api/workspaces/list'

const ApiKey = Type.Object({
  id: Type.String(),
  apiKeyName: Type.String(),
  type: Type.String(),
  disabled: Type.Boolean(),
})

const Workspace = Type.Object({
  id: Type.String(),
  name: Type.String(),
  ownerEmail: Type.String(),
  createdAt: Type.Integer(),
  apiKeys: Type.Array(ApiKey),
})

/** The workspaces that the session reaches, with their API keys and without secrets, in order of their ids. */
export const listWorkspaces = operation({
  path: PATH,
  auth: 'none',
  access: 'read',
  summary: 'List the workspaces',
  input: Type.Object({
    search: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Part of the name, the id, or the address of the owner; or the whole id of an API key.',
      }),
    ),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    pageToken: Type.Optional(Type.String()),
  }),
  output: Type.Array(Workspace),
  errors: ['UNAUTHENTICATED'],
  message: 'Workspaces retrieved.',
  page: 'nextPageToken',
}).run(async ({ db, request, input, pageTokens }) => {
  const { workspaceId: only } = sessionOf(request.console?.session)
  const { search = '', pageSize = 50, pageToken } = input
  const scope = { operation: PATH, tenant: only ?? 'all', filters: { search } }
  const after = pageToken === undefined ? '' : String(pageTokens.open(scope, pageToken))
  const rows = await db.query<Static<typeof Workspace>>(sql`
    select w.id, w.name, w.owner_email as "ownerEmail", w.created_at as "createdAt",
      coalesce(
        (select jsonb_agg(
           jsonb_build_object('id', k.id, 'apiKeyName', k.name, 'type', k.type, 'disabled', k.disabled) order by k.seq)
         from api_key k
         where k.workspace_id = w.id and not k.deleting),
        '[]') as "apiKeys"
    from workspace w
    where w.id > ${after} and (${only}::text is null or w.id = ${only})
      and (strpos(lower(w.name || ' ' || w.id || ' ' || w.owner_email), lower(${search})) > 0
        or exists (select from api_key k where k.id = ${search} and k.workspace_id = w.id and not k.deleting))
    order by w.id
    limit ${pageSize + 1}`)
  const { page, last } = pageOf(rows, pageSize)
  return { data: page, next: last ? pageTokens.seal(scope, last.id) : null }
})
