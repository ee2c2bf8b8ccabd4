import { json, sql } from '../../platform/db/db.ts'
import { randomId } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { oneOf, Type } from '../../platform/schema.ts'
import { Delivery, type DeliveryRow, toDelivery } from './delivery/delivery-record.ts'
import { requireAdvancedWebhooks } from './endpoint/advanced-config.ts'
import { EndpointId, lockEndpoint, requireActive } from './endpoint/endpoint.ts'
import { EVENT_TYPES } from './endpoint/event-type.ts'

/** Sends a test event to one endpoint, whatever it subscribes to, through the same queue and checks as other events. */
export const testEndpoint = operation({
  path: '/v2/workspace/advancedwebhook/endpoints/test',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Send a test event to an advanced webhook endpoint',
  input: Type.Object({
    endpointId: EndpointId,
    eventType: Type.Optional(
      oneOf(EVENT_TYPES, 'The type of the event; default: the first one it lists, or `comment.add`.'),
    ),
  }),
  example: { endpointId: 'ep_0123456789abcdef01234567', eventType: 'comment.add' },
  output: Delivery,
  errors: ['FAILED_PRECONDITION', 'NOT_FOUND'],
  message: 'Test event queued successfully.',
  queues: true,
}).run(async ({ db, tenant, input: { endpointId, eventType }, secrets, clock, request }) => {
  await requireAdvancedWebhooks(db, tenant, secrets)
  const endpoint = await lockEndpoint(db, tenant, endpointId)
  await requireActive(db, tenant, endpointId)
  const type = eventType ?? endpoint.filter_types?.[0] ?? 'comment.add'
  const eventId = randomId('msg_')
  const payload = { test: true, actionType: 'test', source: 'webhook', platform: 'sdk', data: { endpointId } }
  await db.query(sql`
    insert into event (api_key, id, type, organization_id, document_id, advanced, basic, processed)
    values (${tenant.apiKey}, ${eventId}, ${type}, '', null, ${json(payload)}, '{}', '{}')`)
  const [row] = await db.query<DeliveryRow>(sql`
    insert into webhook_pending (api_key, event_id, endpoint_id, event_type, due_at)
    values (${tenant.apiKey}, ${eventId}, ${endpointId}, ${type}, ${clock.now()}::bigint)
    returning event_id, endpoint_id, event_type, status, due_at, attempt, null as last_attempt`)
  if (!row) throw new Error('The delivery just written cannot be read.')
  return toDelivery(row, request)
})
