import { DateRange, dateRangeIssues, endsOf } from '../../platform/date-range.ts'
import { operation } from '../../platform/operation.ts'
import { pageOf } from '../../platform/page.ts'
import { identifier, oneOf, Type } from '../../platform/schema.ts'
import { Delivery, statusInput, toDelivery } from './delivery/delivery-record.ts'
import { type DeliveryFilters, findDeliveries, HTTP_CLASSES } from './delivery/find-deliveries.ts'

const PATH = '/v2/workspace/advancedwebhook/deliveries/list'

interface Position {
  eventId: string
  endpointId: string
}

/** Lists deliveries, those of the latest events first. */
export const listDeliveries = operation({
  path: PATH,
  auth: 'apiKey',
  access: 'read',
  summary: 'List webhook deliveries',
  input: Type.Object({
    endpointId: Type.Optional(Type.String({ description: 'An endpoint, or `raw` or `processed`.' })),
    status: Type.Optional(statusInput('Only deliveries with this status.')),
    eventType: Type.Optional(Type.String({ description: 'Only this event type.' })),
    httpStatus: Type.Optional(
      oneOf([...HTTP_CLASSES], 'Only those whose last attempt was answered so; `none`: it had no response.'),
    ),
    eventId: Type.Optional(Type.String({ maxLength: 64, description: 'Only of this event: the `webhook-id`.' })),
    organizationId: Type.Optional(identifier('Only of events of this organization.')),
    documentId: Type.Optional(identifier('Only of events of this document.')),
    dateRange: Type.Optional(DateRange),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 1000.' })),
    pageToken: Type.Optional(Type.String({ description: 'From the previous page.' })),
  }),
  example: { status: 'failed', pageSize: 20 },
  output: Type.Array(Delivery),
  errors: [],
  message: 'Webhook deliveries retrieved successfully.',
  page: 'pageToken',
  check: ({ dateRange }) => dateRangeIssues(dateRange, 'dateRange'),
}).run(async ({ db, tenant, input, pageTokens, request }) => {
  const { dateRange, pageSize = 1000, pageToken, ...filters } = input
  const scope = { operation: PATH, tenant: tenant.apiKey, filters: { ...filters, dateRange } }
  const rows = await findDeliveries(db, tenant, {
    filters: filters as DeliveryFilters,
    range: endsOf(dateRange ?? {}),
    after: pageToken === undefined ? undefined : (pageTokens.open(scope, pageToken) as Position),
    limit: pageSize + 1,
  })
  const { page, last } = pageOf(rows, pageSize)
  const next = last ? pageTokens.seal(scope, { eventId: last.event_id, endpointId: last.endpoint_id }) : null
  return { data: page.map((row) => toDelivery(row, request)), next }
})
