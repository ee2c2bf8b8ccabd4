import { sql } from '../../platform/db/db.ts'
import { KEPT_MS } from '../../platform/http/recent-requests.ts'
import { operation } from '../../platform/operation.ts'
import { pageOf } from '../../platform/page.ts'
import { nullable, oneOf, type Static, Type, timestamp } from '../../platform/schema.ts'

const PATH = '/v2/workspace/requests/list'

const Request = Type.Object({
  time: timestamp('When it was answered.'),
  operation: Type.String({ description: 'Path of the operation.' }),
  status: Type.Integer({ description: 'HTTP status of the answer.' }),
  durationMs: Type.Number({ description: 'From its arrival to the end of the answer.' }),
  requestId: Type.String({ description: 'The `x-request-id` of the answer.' }),
  errorStatus: nullable(Type.String({ description: 'Error status; null after a success.' })),
  message: nullable(
    Type.String({ description: 'Error message, which names the first bad field; null after a success.' }),
  ),
})

/** Lists the latest requests of the API key that any process answered. Requests with wrong credentials are not kept. */
export const listRequests = operation({
  path: PATH,
  auth: 'apiKey',
  access: 'read',
  summary: 'List the latest requests of an API key',
  description:
    'A sample: of each process, every two seconds up to 10 requests that succeeded and 10 that failed. At most 500 of ' +
    'the last hour are kept, without bodies. They appear within about two seconds.',
  input: Type.Object({
    outcome: Type.Optional(oneOf(['succeeded', 'failed'], 'Only requests that ended so.')),
    operation: Type.Optional(Type.String({ maxLength: 200, description: 'Only of this operation, by its path.' })),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Default: 100.' })),
    pageToken: Type.Optional(Type.String({ description: 'From the previous page.' })),
  }),
  example: { outcome: 'failed', pageSize: 20 },
  output: Type.Array(Request),
  errors: [],
  message: 'Requests retrieved successfully.',
  page: 'pageToken',
}).run(async ({ db, tenant, input, pageTokens }) => {
  const { outcome = null, operation = null, pageSize = 100, pageToken } = input
  const scope = { operation: PATH, tenant: tenant.apiKey, filters: { outcome, operation } }
  const before = pageToken === undefined ? Number.MAX_SAFE_INTEGER : Number(pageTokens.open(scope, pageToken))
  const rows = await db.query<Static<typeof Request> & { seq: number }>(sql`
    select seq, at as time, operation, status, duration_ms as "durationMs", request_id as "requestId",
      error_status as "errorStatus", message
    from recent_request
    where api_key = ${tenant.apiKey} and seq < ${before}::bigint and at >= now_ms() - ${KEPT_MS}
      and (${operation}::text is null or operation = ${operation})
      and (${outcome}::text is null or (error_status is null) = (${outcome} = 'succeeded'))
    order by seq desc
    limit ${pageSize + 1}`)
  const { page, last } = pageOf(rows, pageSize)
  return {
    data: page.map(({ seq: _, ...request }) => request),
    next: last ? pageTokens.seal(scope, last.seq) : null,
  }
})
