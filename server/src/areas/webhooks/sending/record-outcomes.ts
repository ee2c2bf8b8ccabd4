import { type Db, sql } from '../../../platform/db/db.ts'
import { OPERATIONAL_TYPES } from '../endpoint/event-type.ts'
import { ORDERED_LEASE_MS, SPACING_MS } from './claim.ts'
import { ATTEMPT_COLUMNS, type Outcome, rowsOf } from './outcome.ts'
import { DISABLE_AFTER_MS, QUIET_MS } from './retry-schedule.ts'
import { recordStaleOutcomes } from './stale-outcome.ts'

/**
 * Records outcomes in one statement: the attempts, the new states of deliveries and endpoints, and the jobs that
 * announce operational events. A delivery that was cancelled or claimed again meanwhile keeps its state. The call can
 * be repeated if its response is lost.
 */
export async function recordOutcomes(db: Db, outcomes: Outcome[], now: number): Promise<void> {
  const [row] = await db.query<{ settled: number[] }>(sql`
    with outcome as materialized (
      select * from ${rowsOf(outcomes)}
    ),
    ${CLAIMED},
    settled as (
      delete from webhook_pending d
      using claimed o
      where d.ctid = o.tid and o.status in ('succeeded', 'failed')
      returning d.api_key, d.event_id, d.endpoint_id, d.event_type, d.seq, d.attempt, o.status, o.due_at,
        o.sent, o.sent_at, o.duration_ms, o.url, o.http_status, o.response, o.error, o.position
    ),
    kept as (
      insert into webhook_settled (api_key, event_id, endpoint_id, event_type, seq, status, attempt, sent_at,
        duration_ms, url, http_status, response, error)
      select api_key, event_id, endpoint_id, event_type, seq, status, attempt, sent_at, duration_ms, url,
        http_status, response, error
      from settled
    ),
    earlier as (
      insert into webhook_earlier_attempt (${ATTEMPT_COLUMNS})
      select api_key, event_id, endpoint_id, attempt, sent_at, duration_ms, url, http_status, response, error
      from outcome
      where sent and status in ('ready', 'scheduled')
      on conflict do nothing
    ),
    waiting as (
      update webhook_pending d
      set status = o.status,
          due_at = o.due_at,
          claimed_until = 0,
          attempt = d.attempt - (not o.sent)::integer,
          tries = d.tries - (not o.sent)::integer
      from claimed o
      where d.ctid = o.tid and o.status in ('ready', 'scheduled')
      returning d.api_key, d.endpoint_id, o.status, o.due_at, o.sent, o.sent_at, o.url, o.http_status
    ),
    ${ENDPOINTS},
    operational_event as (
      select api_key, 'webhooks.endpoint-disabled' as job,
        jsonb_build_object('endpointId', id, 'reason', case when gone then 'gone' else 'failing' end) as payload
      from endpoint
      where was_disabled
      union all
      select api_key, 'webhooks.message-exhausted', jsonb_build_object('eventId', event_id, 'endpointId', endpoint_id)
      from settled
      where status = 'failed' and event_type <> all(${OPERATIONAL_TYPES}::text[])
    ),
    announced as (
      insert into job (api_key, workspace_id, name, payload, run_at)
      select n.api_key, k.workspace_id, n.job, n.payload, ${now}::bigint
      from operational_event n
      join api_key k on k.id = n.api_key
    )
    select array(select position from settled)::integer[] as settled`)
  const settled = new Set(row?.settled)
  const stale = outcomes.filter(({ status }, i) => status !== 'ready' && status !== 'scheduled' && !settled.has(i + 1))
  if (stale.length > 0) await recordStaleOutcomes(db, stale)
}

/**
 * The outcomes whose claims still hold, each with the ctid of its delivery. Two choices keep the plan cheap:
 * - We do not filter by status. It is implied, and would let the planner read the endpoint's whole backlog through the
 *   `ready` index.
 * - Deliveries are looked up one by one and changed by ctid. After a vacuum of an empty queue the planner still takes
 *   it to be empty, and a join by key would compare the whole queue with every outcome.
 */
const CLAIMED = sql`
    claimed as materialized (
      select o.*, d.tid
      from outcome o
      cross join lateral (
        select ctid as tid
        from webhook_pending
        where api_key = o.api_key
          and event_id = o.event_id
          and endpoint_id = o.endpoint_id
          and attempt = o.attempt
          and claimed_until = o.claimed_until
        limit 1
        for update
      ) d
    )`

// Whether a failure continues the period of failures of the last one. A retry may come a tenth later than scheduled.
const CONTINUES = sql`f.failed_at - e.last_failed_at
                <= ${QUIET_MS}::bigint + 1100 * coalesce((select max(s) from unnest(e.retry_schedule) as s), 0)`
const IS_FAILING = sql`f.failed_at - e.failing_since >= ${DISABLE_AFTER_MS}::bigint and ${CONTINUES}`

/**
 * Updates endpoints: since when they fail, whether that disables them, and when an ordered one may send again. Only
 * attempts at the current URL count, of deliveries that were not cancelled meanwhile.
 */
const ENDPOINTS = sql`
    watched as materialized (
      select e.*
      from (
        select api_key, endpoint_id, bool_or(status <> 'succeeded') as failed
        from outcome
        group by api_key, endpoint_id
      ) o
      -- The limit forces one look-up per row. With stale statistics a join would read every endpoint.
      cross join lateral (
        select api_key, id, url, disabled, ordered, failing_since
        from webhook_endpoint
        where api_key = o.api_key and id = o.endpoint_id
        limit 1
      ) e
      -- A success does not change any other endpoint.
      where o.failed or e.ordered or e.failing_since is not null
    ),
    result as (
      select o.api_key, o.endpoint_id, e.url, e.disabled,
        coalesce(bool_or(o.status = 'succeeded') filter (where o.url = e.url), false) as succeeded,
        coalesce(bool_or(o.http_status = 410) filter (where o.url = e.url), false) as gone,
        min(o.sent_at) filter (where o.sent and o.status <> 'succeeded' and o.url = e.url) as failed_at,
        max(o.sent_at) as last_sent_at,
        max(o.due_at) filter (where o.status in ('ready', 'scheduled')) as retry_at
      from (
        select api_key, endpoint_id, status, due_at, sent, sent_at, url, http_status
        from settled
        union all
        select api_key, endpoint_id, status, due_at, sent, sent_at, url, http_status
        from waiting
        union all
        -- An outcome whose delivery was cancelled shows only that the send has ended.
        select api_key, endpoint_id, null, null, null, sent_at, null, null
        from outcome
      ) o
      join watched e on e.api_key = o.api_key and e.id = o.endpoint_id
      group by o.api_key, o.endpoint_id, e.url, e.disabled
    ),
    endpoint as (
      update webhook_endpoint e
      set failing_since = case
            when e.disabled then e.failing_since
            when f.succeeded then null
            when f.failed_at is null or ${CONTINUES} then coalesce(e.failing_since, f.failed_at)
            else f.failed_at
          end,
          last_failed_at = coalesce(f.failed_at, e.last_failed_at),
          disabled = e.disabled or e.kind = 'advanced' and (f.gone or (not f.succeeded and ${IS_FAILING}) is true),
          next_send_at = case
            when not e.ordered then e.next_send_at
            else coalesce(
              f.retry_at, f.last_sent_at + coalesce(${SPACING_MS}::float8 / e.rate_limit, 0))
          end,
          held_until = 0
      from result f
      where e.api_key = f.api_key
        and e.id = f.endpoint_id
        and e.url = f.url
        and e.disabled = f.disabled
        and (
          -- Only the send that blocks the endpoint unblocks it, not one that outlived its lease or was recorded before.
          (e.ordered and e.held_until between f.last_sent_at and f.last_sent_at + ${ORDERED_LEASE_MS})
          or f.gone
          or (f.succeeded and e.failing_since is not null)
          or f.failed_at is not null
        )
      returning e.api_key, e.id, e.disabled and not f.disabled as was_disabled, f.gone
    )`
