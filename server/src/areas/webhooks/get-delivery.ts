import { sql } from '../../platform/db/db.ts'
import { type CallerRequest, operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import {
  ATTEMPT_LOG,
  DELIVERY_COLUMNS,
  type Delivery,
  DeliveryDetails,
  DeliveryId,
  type DeliveryRow,
  parseDeliveryId,
  toDelivery,
  unknownDelivery,
} from './delivery/delivery-record.ts'
import { endpointDisabled } from './endpoint/event-type.ts'
import type { Disabled } from './endpoint/operational-event.ts'
import { shownUrl } from './endpoint/shown-url.ts'

interface Row extends DeliveryRow {
  url: string | null
  payload: Record<string, unknown>
  attempt_log: NonNullable<Delivery['lastAttempt']>[]
}

/** Returns a delivery with its payload and its latest attempts. */
export const getDelivery = operation({
  path: '/v2/workspace/advancedwebhook/deliveries/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get a webhook delivery',
  input: Type.Object({ deliveryId: DeliveryId }),
  example: { deliveryId: 'dlv_the_id_of_a_delivery' },
  output: DeliveryDetails,
  errors: ['NOT_FOUND'],
  message: 'Webhook delivery retrieved successfully.',
}).run(async ({ db, tenant, input: { deliveryId }, request }) => {
  const { eventId, endpointId } = parseDeliveryId(deliveryId)
  const [row] = await db.query<Row>(sql`
    select ${DELIVERY_COLUMNS}, ${ATTEMPT_LOG}, e.url,
      case d.endpoint_id when 'raw' then v.basic when 'processed' then v.processed else v.advanced end as payload
    from webhook_delivery d
    join event v on v.api_key = d.api_key and v.id = d.event_id
    left join webhook_endpoint e on e.api_key = d.api_key and e.id = d.endpoint_id
    where d.api_key = ${tenant.apiKey} and d.event_id = ${eventId} and d.endpoint_id = ${endpointId}`)
  if (!row) throw unknownDelivery(deliveryId)
  const isBasic = endpointId === 'raw' || endpointId === 'processed'
  const payload = { ...(!isBasic && { event: row.event_type }), ...shownPayload(row, request), webhookId: eventId }
  return {
    ...toDelivery(row, request),
    request: { url: row.url === null ? null : shownUrl(request, row.url), payload },
    attemptLog: row.attempt_log.map((attempt) => ({ ...attempt, url: shownUrl(request, attempt.url) })),
  }
})

/** The event that tells of a disabled endpoint names its URL. */
function shownPayload({ event_type: type, payload }: Row, request: CallerRequest): Row['payload'] {
  if (type !== endpointDisabled.type) return payload
  const data = payload.data as Disabled
  return { ...payload, data: { ...data, url: shownUrl(request, data.url) } }
}
