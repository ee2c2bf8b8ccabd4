import { type Db, sql } from '../../../platform/db/db.ts'
import { ATTEMPT_COLUMNS, type Outcome, rowsOf } from './outcome.ts'

/**
 * Records attempts whose claim no longer holds (cancelled, expired, or recorded before). An attempt that reached the
 * customer is logged even if its delivery was cancelled.
 */
export async function recordStaleOutcomes(db: Db, outcomes: Outcome[]): Promise<void> {
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
      -- One look-up per row, as in recordOutcomes. A ctid is unique only within its partition.
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
    insert into webhook_earlier_attempt (${ATTEMPT_COLUMNS})
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
