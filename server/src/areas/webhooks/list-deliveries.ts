import { DateRange, dateRangeIssues, endsOf } from '../../platform/date-range.ts'
import { empty, sql } from '../../platform/db/db.ts'
import { firstIdAt } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import {
  DELIVERY_COLUMNS,
  Delivery,
  type DeliveryRow,
  type DeliveryStatus,
  statusInput,
  toDelivery,
} from './delivery/delivery-record.ts'

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
    dateRange: Type.Optional(DateRange),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 1000.' })),
    pageToken: Type.Optional(Type.String({ description: 'From the previous page.' })),
  }),
  output: Type.Array(Delivery),
  errors: [],
  message: 'Webhook deliveries retrieved successfully.',
  page: 'pageToken',
  check: ({ dateRange }) => dateRangeIssues(dateRange, 'dateRange'),
}).run(async ({ db, tenant, input, pageTokens }) => {
  const { endpointId, status, eventType, dateRange, pageSize = 1000, pageToken } = input
  const scope = { operation: PATH, tenant: tenant.apiKey, filters: { endpointId, status, eventType, dateRange } }
  const after = pageToken === undefined ? undefined : (pageTokens.open(scope, pageToken) as Position)
  const range = endsOf(dateRange ?? {})
  const rows = await db.query<DeliveryRow>(sql`
    select ${DELIVERY_COLUMNS}
    from webhook_delivery d
    where d.api_key = ${tenant.apiKey}
      and d.event_id >= ${firstIdAt('msg_', range.start)}
      and d.event_id < ${firstIdAt('msg_', range.end + 1)}
      ${endpointId === undefined ? empty : sql`and d.endpoint_id = ${endpointId}`}
      ${status === undefined ? empty : statusIs(status as DeliveryStatus)}
      ${eventType === undefined ? empty : sql`and d.event_type = ${eventType}`}
      ${after ? sql`and (d.event_id, d.endpoint_id) < (${after.eventId}, ${after.endpointId})` : empty}
    order by d.event_id desc, d.endpoint_id desc
    limit ${pageSize + 1}`)
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  return {
    data: page.map(toDelivery),
    next:
      rows.length > pageSize && last
        ? pageTokens.seal(scope, { eventId: last.event_id, endpointId: last.endpoint_id })
        : null,
  }
})

// `pending` as a constant lets the planner read only one of the two tables behind the view.
const statusIs = (status: DeliveryStatus) =>
  status === 'pending' ? sql`and d.pending` : sql`and not d.pending and d.status = ${status}`
