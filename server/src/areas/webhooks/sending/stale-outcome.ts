import { type Db, sql } from '../../../platform/db/db.ts'
import { type Outcome, rowsOf } from './outcome.ts'

/**
 * Records the ends of claims that were cancelled or lost meanwhile, or of which it is recorded already. What was received
 * is told, though it was cancelled.
 */
export async function recordLate(db: Db, outcomes: Outcome[]): Promise<void> {
  await db.query(sql`
    with outcome as materialized (
      select * from ${rowsOf(outcomes)}
    ),
    received as (
      update webhook_settled d
      set status = 'succeeded',
          sent_at = o.sent_at,
          duration_ms = o.duration_ms,
          url = o.url,
          http_status = o.http_status,
          response = o.response
      from outcome o
      -- Looked up one by one, as in recordOutcomes; a place is one of a partition.
      cross join lateral (
        select tableoid as partition, ctid as tid
        from webhook_settled
        where api_key = o.api_key
          and event_id = o.event_id
          and endpoint_id = o.endpoint_id
          and attempt = o.attempt
          and status = 'cancelled'
        limit 1
        for update
      ) s
      where d.tableoid = s.partition and d.ctid = s.tid and o.status = 'succeeded'
      returning o.position
    )
    insert into webhook_earlier_attempt (
      api_key, event_id, endpoint_id, number, sent_at, duration_ms, url, http_status, response, error)
    select o.api_key, o.event_id, o.endpoint_id, o.attempt, o.sent_at, o.duration_ms, o.url, o.http_status, o.response,
      o.error
    from outcome o
    where o.position not in (select position from received)
      and not exists (
        select
        from webhook_settled d
        where d.api_key = o.api_key
          and d.event_id = o.event_id
          and d.endpoint_id = o.endpoint_id
          and d.attempt = o.attempt
          and d.sent_at = o.sent_at
        offset 0
      )
    on conflict do nothing`)
}
