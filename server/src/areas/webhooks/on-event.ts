import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Sql, sql } from '../../platform/db/db.ts'
import { onPublic } from '../../platform/event.ts'
import { ignoresChannels, subscribesToType } from './endpoint/subscription.ts'

/** Queues a delivery of each event to each endpoint that subscribes to it, in the transaction of the change. */
export const queueDeliveries = onPublic(async ({ db, tenant, clock, wake }, events, type) => {
  const { apiKey } = tenant
  const statement = sql`
    with change as materialized (
      select *
      from unnest(
        ${events.map((event) => event.eventId)}::text[],
        ${events.map((event) => event.organizationId)}::text[],
        ${events.map((event) => event.documentId)}::text[]
      ) with ordinality as e (event_id, organization_id, document_id, position)
    ),
    match as (${ignoresChannels(type) ? matchingEndpoints(tenant, type) : matchingByChannel(tenant, type)}),
    queued as (
      insert into webhook_pending (api_key, event_id, endpoint_id, event_type, due_at)
      select ${apiKey}, event_id, endpoint_id, ${type}, ${clock.now()}::bigint
      from match
      order by position, endpoint_id
      returning 1
    )
    select from queued limit 1`
  db.send(statement, (queued) => {
    if (queued.length > 0) wake()
  })
})

const matchingEndpoints = ({ apiKey }: ApiKeyTenant, type: string, condition: Sql = sql`true`) => sql`
      select e.position, e.event_id, t.id as endpoint_id
      from webhook_endpoint t
      cross join change e
      where t.api_key = ${apiKey} and t.active and ${subscribesToType(sql`${type}::text`)} and ${condition}`

/** Endpoints without channels get every event. The others get the events of their channels, each once. */
const matchingByChannel = (tenant: ApiKeyTenant, type: string) => sql`
      ${matchingEndpoints(tenant, type, sql`t.channels is null`)}
      union
      select e.position, e.event_id, t.id
      from change e
      cross join unnest(array[e.organization_id, e.document_id]) as of (channel)
      -- The offset and the limit force one look-up per row, whatever the planner's statistics.
      cross join lateral (
        select endpoint_id
        from webhook_channel
        where api_key = ${tenant.apiKey} and channel = of.channel
        offset 0
      ) c
      cross join lateral (
        select *
        from webhook_endpoint
        where api_key = ${tenant.apiKey} and id = c.endpoint_id
        limit 1
      ) t
      where t.active and ${subscribesToType(sql`${type}::text`)}`
