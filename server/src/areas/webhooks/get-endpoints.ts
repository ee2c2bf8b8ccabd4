import { sql } from '../../platform/db/db.ts'
import { invalidField } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { nullable, Type } from '../../platform/schema.ts'
import { requireAdvancedWebhooks } from './endpoint/advanced-config.ts'
import { ENDPOINT_COLUMNS, Endpoint, type EndpointRow, toEndpoint } from './endpoint/endpoint.ts'
import { shownUrl } from './endpoint/shown-url.ts'

const PATH = '/v2/workspace/advancedwebhook/endpoints/get'
const DEFAULT_LIMIT = 50

/** Where a page begins: after an id, or before one when paging backwards. */
type Position = { after: string } | { before: string }

/** Lists endpoints in the order of their creation. Callers can page forwards and backwards. */
export const getEndpoints = operation({
  path: PATH,
  auth: 'apiKey',
  access: 'read',
  summary: 'List advanced webhook endpoints',
  input: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 250, description: `Endpoints per page; default: ${DEFAULT_LIMIT}.` }),
    ),
    iterator: Type.Optional(Type.String({ description: '`iterator` or `prevIterator` of an earlier response.' })),
  }),
  example: {},
  output: Type.Object({
    endpoints: Type.Array(Endpoint),
    iterator: nullable(Type.String({ description: 'Leads to the next page; null on the last.' })),
    prevIterator: nullable(Type.String({ description: 'Leads to the previous page; null on the first.' })),
    done: Type.Boolean({ description: 'Whether this is the last page.' }),
  }),
  errors: ['FAILED_PRECONDITION'],
  message: 'Advanced webhook endpoints retrieved successfully.',
}).run(async ({ db, tenant, input, secrets, pageTokens, request }) => {
  const { limit = DEFAULT_LIMIT, iterator } = input
  await requireAdvancedWebhooks(db, tenant, secrets)
  const scope = { operation: PATH, tenant: tenant.apiKey, filters: null }
  const position = iterator === undefined ? { after: '' } : open(() => pageTokens.open(scope, iterator) as Position)
  const backwards = 'before' in position
  const rows = await db.query<EndpointRow>(sql`
    select ${ENDPOINT_COLUMNS}
    from webhook_endpoint
    where api_key = ${tenant.apiKey}
      and kind = 'advanced'
      and ${backwards ? sql`id < ${position.before}` : sql`id > ${position.after}`}
    order by ${backwards ? sql`id desc` : sql`id`}
    limit ${limit + 1}`)
  const page = rows.slice(0, limit)
  if (backwards) page.reverse()
  const more = rows.length > limit
  const [first, last] = [page.at(0), page.at(-1)]
  const hasNext = backwards || more
  const hasPrevious = backwards ? more : iterator !== undefined
  return {
    endpoints: page.map((row) => toEndpoint({ ...row, url: shownUrl(request, row.url) })),
    iterator: hasNext && last ? pageTokens.seal(scope, { after: last.id }) : null,
    prevIterator: hasPrevious && first ? pageTokens.seal(scope, { before: first.id }) : null,
    done: !hasNext,
  }
})

function open(read: () => Position): Position {
  try {
    return read()
  } catch {
    throw invalidField('iterator', 'must be the iterator or prevIterator of an answer of this operation')
  }
}
