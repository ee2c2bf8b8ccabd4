import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { lockByName } from '../../platform/db/list-lock.ts'
import { ApiError } from '../../platform/errors.ts'
import { firstIdAt } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { redeliveryLock, requeue } from './delivery/delivery.ts'
import {
  DELIVERY_COLUMNS,
  Delivery,
  DeliveryId,
  type DeliveryRow,
  parseDeliveryId,
  toDelivery,
  unknownDelivery,
} from './delivery/delivery-record.ts'
import { retentionStart } from './delivery/retention.ts'
import { requireActive } from './endpoint/endpoint.ts'

/** Sends a delivery again now, under the same id, and restarts its retry schedule. */
export const resendDelivery = operation({
  path: '/v2/workspace/advancedwebhook/deliveries/resend',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Resend a webhook delivery',
  input: Type.Object({ deliveryId: DeliveryId }),
  example: { deliveryId: 'dlv_the_id_of_a_delivery' },
  output: Delivery,
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Webhook delivery queued successfully.',
  queues: true,
}).run(async ({ db, tenant, input: { deliveryId }, clock, config, request }) => {
  const { eventId, endpointId } = parseDeliveryId(deliveryId)
  const read = async (): Promise<Delivery> => {
    const [row] = await db.query<DeliveryRow>(sql`
      select ${DELIVERY_COLUMNS}
      from webhook_delivery d
      where d.api_key = ${tenant.apiKey} and d.event_id = ${eventId} and d.endpoint_id = ${endpointId}`)
    if (!row) throw unknownDelivery(deliveryId)
    return toDelivery(row, request)
  }
  const { status } = await read()
  if (status !== 'pending' && eventId < firstIdAt('msg_', retentionStart(config, clock.now()))) {
    throw new ApiError('FAILED_PRECONDITION', 'The delivery is older than the retention, and about to be removed.')
  }
  await requireActive(db, tenant, endpointId)
  await lockByName(db, redeliveryLock(tenant, endpointId))
  await requeueDelivery(db, tenant, { eventId, endpointId }, clock.now())
  return read()
})

/** Queues the delivery, unless it is in flight or ready already. */
async function requeueDelivery(
  db: Db,
  tenant: ApiKeyTenant,
  { eventId, endpointId }: DeliveryKey,
  now: number,
): Promise<void> {
  const { apiKey } = tenant
  await db.query(sql`
    with ${requeue(tenant, endpointId, sql`array[${eventId}]`, now)},
    unblocked as (
      -- An ordered endpoint that is blocked until the retry of this delivery.
      update webhook_endpoint
      set next_send_at = 0
      where api_key = ${apiKey}
        and id = ${endpointId}
        and ordered
        and exists (
          select
          from webhook_pending
          where api_key = ${apiKey}
            and event_id = ${eventId}
            and endpoint_id = ${endpointId}
            and status = 'ready'
            and due_at > ${now}::bigint
            and claimed_until <= ${now}::bigint
        )
    )
    update webhook_pending
    set status = 'ready', due_at = ${now}::bigint, claimed_until = 0, tries = 0
    where api_key = ${apiKey}
      and event_id = ${eventId}
      and endpoint_id = ${endpointId}
      and (status = 'scheduled' or (due_at > ${now}::bigint and claimed_until <= ${now}::bigint))`)
}

interface DeliveryKey {
  eventId: string
  endpointId: string
}
