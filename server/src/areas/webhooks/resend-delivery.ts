import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import {
  DELIVERY_COLUMNS,
  Delivery,
  type DeliveryRow,
  parseDeliveryId,
  toDelivery,
  unknownDelivery,
} from './delivery-record.ts'
import { requireActive } from './endpoint.ts'

/** Sends a delivery again now, under the same id, and begins its retry schedule anew. */
export const resendDelivery = operation({
  path: '/v2/workspace/advancedwebhook/deliveries/resend',
  auth: 'apiKey',
  access: 'write',
  summary: 'Resend a webhook delivery',
  input: Type.Object({ deliveryId: Type.String({ minLength: 1, description: 'Id of the delivery.' }) }),
  output: Delivery,
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Webhook delivery queued successfully.',
  queues: true,
}).run(async ({ db, tenant, input: { deliveryId }, clock }) => {
  const { eventId, endpointId } = parseDeliveryId(deliveryId)
  const [row] = await db.query<DeliveryRow>(sql`
    select ${DELIVERY_COLUMNS}
    from webhook_delivery d
    where d.api_key = ${tenant.apiKey} and d.event_id = ${eventId} and d.endpoint_id = ${endpointId}
    for no key update`)
  if (!row) throw unknownDelivery(deliveryId)
  await requireActive(db, tenant, endpointId)
  const now = clock.now()
  // What is under way is not sent twice.
  if (row.status === 'ready' && (row.due_at <= now || row.claimed_until > now)) return toDelivery(row)
  await db.query(sql`
    update webhook_delivery
    set status = 'ready', due_at = ${now}::bigint, claimed_until = 0, tries = 0
    where api_key = ${tenant.apiKey} and event_id = ${eventId} and endpoint_id = ${endpointId}`)
  if (row.status === 'ready') {
    // An ordered endpoint was waiting for this very delivery.
    await db.query(sql`
      update webhook_endpoint
      set next_send_at = 0
      where api_key = ${tenant.apiKey} and id = ${endpointId} and ordered`)
  }
  return toDelivery({ ...row, status: 'ready', due_at: now })
})
