import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, empty, type Sql, sql } from '../../../platform/db/db.ts'
import { subscribes } from '../endpoint/subscription.ts'
import { queueAgain } from './delivery.ts'
import { type DeliveryStatus, storedStatuses } from './delivery-record.ts'

/** What one call queues at most. */
export const MOST = 10_000

/** Event ids from `first` up to `end`. */
export type Period = { first: string; end: string; now: number }

/** Queues deliveries that there were and that are not under way, one more than are allowed at most; answers how many. */
export async function repeat(
  db: Db,
  tenant: ApiKeyTenant,
  endpointId: string,
  { first, end, now }: Period,
  status: DeliveryStatus | undefined,
): Promise<number> {
  // Arrays of ids are looked up in the index; joined, each would be compared with each while the planner knows nothing.
  const idsIn = (table: Sql, condition: Sql) => sql`array(
        select event_id
        from ${table}
        where api_key = ${tenant.apiKey}
          and endpoint_id = ${endpointId}
          and event_id >= ${first}
          and event_id < ${end}
          ${condition}
          ${status === undefined ? empty : sql`and status = any(${storedStatuses(status)}::text[])`}
        order by event_id
        limit ${MOST + 1}
      )`
  const settled = idsIn(sql`webhook_settled`, empty)
  const [answer] = await db.query<{ queued: number }>(sql`
    with ${queueAgain(tenant, endpointId, settled, now)},
    waiting as (
      update webhook_pending
      set status = 'ready', due_at = ${now}::bigint, tries = 0
      where api_key = ${tenant.apiKey}
        and endpoint_id = ${endpointId}
        and event_id = any(${idsIn(sql`webhook_pending`, sql`and status = 'scheduled'`)})
        and status = 'scheduled'
      returning attempt
    )
    select (select count(*) from again) + (select count(*) from waiting) as queued`)
  return answer?.queued ?? 0
}

/** Queues events that the endpoint subscribes to and missed, at most `limit`; answers how many. */
export async function queueMissed(
  db: Db,
  { apiKey }: ApiKeyTenant,
  endpointId: string,
  { first, end, now }: Period,
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
      -- The payload is read of those alone that it subscribes to.
      and case
        when ${subscribes(sql`v.type`, sql`array[v.organization_id, v.document_id]`)} then v.advanced -> 'test' is null
      end
      -- Offset: looked up event by event for sure, never joined in whole.
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
