import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, empty, type Sql, sql } from '../../../platform/db/db.ts'
import { subscribes } from '../endpoint/subscription.ts'
import { requeue } from './delivery.ts'
import { type DeliveryStatus, storedStatuses } from './delivery-record.ts'

/** The most deliveries that one call queues. */
export const MAX_REPLAYED = 10_000

/** What is replayed: an endpoint's events with ids from `first` up to but excluding `end`. */
export interface Replay {
  endpointId: string
  first: string
  end: string
  now: number
}

/**
 * Queues existing deliveries that are not in flight and not of test events, of one status or of any. Returns how many;
 * a number above MAX_REPLAYED means that there are too many.
 */
export async function requeueDeliveries(
  db: Db,
  tenant: ApiKeyTenant,
  { endpointId, first, end, now }: Replay,
  status: DeliveryStatus | undefined,
): Promise<number> {
  // An array of ids is looked up in the index. With stale statistics a join would compare each id with each row.
  const idsIn = (table: Sql, condition: Sql) => sql`array(
        select event_id
        from ${table} d
        where api_key = ${tenant.apiKey}
          and endpoint_id = ${endpointId}
          and event_id >= ${first}
          and event_id < ${end}
          ${condition}
          ${status === undefined ? empty : sql`and status = any(${storedStatuses(status)}::text[])`}
          -- Test events name no organization, so the payloads of others are not read.
          and not exists (
            select
            from event v
            where v.api_key = ${tenant.apiKey} and v.id = d.event_id and v.organization_id = ''
              and v.advanced -> 'test' is not null
            offset 0
          )
        order by event_id
        limit ${MAX_REPLAYED + 1}
      )`
  const settled = idsIn(sql`webhook_settled`, empty)
  const [row] = await db.query<{ queued: number }>(sql`
    with ${requeue(tenant, endpointId, settled, now)},
    waiting as (
      update webhook_pending
      set status = 'ready', due_at = ${now}::bigint, tries = 0
      where api_key = ${tenant.apiKey}
        and endpoint_id = ${endpointId}
        and event_id = any(${idsIn(sql`webhook_pending`, sql`and status = 'scheduled'`)})
        and status = 'scheduled'
      returning attempt
    )
    select (select count(*) from requeued) + (select count(*) from waiting) as queued`)
  return row?.queued ?? 0
}

/** Queues events that the endpoint subscribes to but has no delivery of, at most `limit`. Returns how many. */
export async function queueMissedEvents(
  db: Db,
  { apiKey }: ApiKeyTenant,
  { endpointId, first, end, now }: Replay,
  limit: number,
): Promise<number> {
  const rows = await db.query(sql`
    insert into webhook_pending (api_key, event_id, endpoint_id, event_type, due_at)
    select v.api_key, v.id, t.id, v.type, ${now}::bigint
    from event v
    join webhook_endpoint t on t.api_key = v.api_key and t.id = ${endpointId}
    where v.api_key = ${apiKey}
      and v.id >= ${first}
      and v.id < ${end}
      -- The payload is read only for events that it subscribes to.
      and case
        when ${subscribes(sql`v.type`, sql`array[v.organization_id, v.document_id]`)} then v.advanced -> 'test' is null
      end
      -- The offset forces one look-up per event instead of a join with the whole view.
      and not exists (
        select
        from webhook_delivery d
        where d.api_key = v.api_key and d.event_id = v.id and d.endpoint_id = t.id
        offset 0
      )
    order by v.id
    limit ${limit}
    on conflict do nothing
    returning attempt`)
  return rows.length
}
