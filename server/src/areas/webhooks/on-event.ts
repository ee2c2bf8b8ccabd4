import { sql } from '../../platform/db/db.ts'
import { onPublic } from '../../platform/event.ts'
import { subscribes } from './subscription.ts'

/** Queues one delivery per event and endpoint that subscribes to it, in the transaction of the change. */
export const queueDeliveries = onPublic(async ({ db, tenant, clock }, events, type) => {
  await db.query(sql`
    insert into webhook_delivery (api_key, event_id, endpoint_id, event_type, status, due_at)
    select t.api_key, e.id, t.id, ${type}, 'ready', ${clock.now()}::bigint
    from unnest(
      ${events.map((event) => event.eventId)}::text[],
      ${events.map((event) => event.organizationId)}::text[],
      ${events.map((event) => event.documentId)}::text[]
    ) with ordinality as e (id, organization_id, document_id, position)
    join webhook_endpoint t
      on t.api_key = ${tenant.apiKey}
      and t.active
      and ${subscribes(sql`${type}::text`, sql`array[e.organization_id, e.document_id]`)}
    order by e.position`)
})
