import { sql } from '../../platform/db/db.ts'
import { onPublic } from '../../platform/event.ts'
import { isOfEveryChannel, subscribesToType } from './subscription.ts'

/**
 * Queues one delivery per event and endpoint that subscribes to it, in the transaction of the change. Channels are joined
 * one by one: comparing lists of them would take time for each pair of an event and an endpoint.
 */
export const queueDeliveries = onPublic(async ({ db, tenant, clock }, events, type) => {
  await db.query(sql`
    with change as materialized (
      select *
      from unnest(
        ${events.map((event) => event.eventId)}::text[],
        ${events.map((event) => event.organizationId)}::text[],
        ${events.map((event) => event.documentId)}::text[]
      ) with ordinality as e (event_id, organization_id, document_id, position)
    ),
    endpoint as materialized (
      select t.id, case when not ${isOfEveryChannel(sql`${type}::text`)} then t.channels end as channels
      from webhook_endpoint t
      where t.api_key = ${tenant.apiKey} and t.active and ${subscribesToType(sql`${type}::text`)}
    ),
    match as (
      select e.position, e.event_id, t.id as endpoint_id
      from endpoint t
      cross join change e
      where t.channels is null
      union
      select e.position, e.event_id, t.id
      from (select id, unnest(channels) as channel from endpoint) t
      join (select position, event_id, unnest(array[organization_id, document_id]) as channel from change) e
        on e.channel = t.channel
    )
    insert into webhook_pending (api_key, event_id, endpoint_id, event_type, due_at)
    select ${tenant.apiKey}, event_id, endpoint_id, ${type}, ${clock.now()}::bigint
    from match
    order by position, endpoint_id`)
})
