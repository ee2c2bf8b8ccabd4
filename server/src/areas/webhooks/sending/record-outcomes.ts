import { type Db, sql } from '../../../platform/db/db.ts'
import { OPERATIONAL_TYPES } from '../endpoint/event-type.ts'
import { HELD_MS, SPACING_MS } from './claim.ts'
import { type Outcome, rowsOf } from './outcome.ts'
import { DISABLE_AFTER_MS, QUIET_MS } from './retry-schedule.ts'
import { recordLate } from './stale-outcome.ts'

/**
 * Records outcomes in one statement, which may be repeated when its answer is lost: the attempts, what becomes of the
 * deliveries unless they were cancelled or claimed again meanwhile, how their endpoints fare, and the jobs that announce
 * what customers must hear of.
 */
export async function recordOutcomes(db: Db, outcomes: Outcome[], now: number): Promise<void> {
  const [answer] = await db.query<{ settled: number[] }>(sql`
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
    notice as (
      select api_key, 'webhooks.endpoint-disabled' as job,
        jsonb_build_object('endpointId', id, 'reason', case when gone then 'gone' else 'failing' end) as payload
      from endpoint
      where given_up
      union all
      select api_key, 'webhooks.message-exhausted', jsonb_build_object('eventId', event_id, 'endpointId', endpoint_id)
      from settled
      where status = 'failed' and event_type <> all(${OPERATIONAL_TYPES}::text[])
    ),
    announced as (
      insert into job (api_key, workspace_id, name, payload, run_at)
      select n.api_key, k.workspace_id, n.job, n.payload, ${now}::bigint
      from notice n
      join api_key k on k.id = n.api_key
    )
    select array(select position from settled)::integer[] as settled`)
  const settled = new Set(answer?.settled)
  const late = outcomes.filter(({ status }, i) => status !== 'ready' && status !== 'scheduled' && !settled.has(i + 1))
  if (late.length > 0) await recordLate(db, late)
}

const ATTEMPT_COLUMNS = sql`
        api_key, event_id, endpoint_id, number, sent_at, duration_ms, url, http_status, response, error`

/**
 * The outcomes whose delivery is still claimed as when they began, with its place in the table. Its status would say no
 * more, and let plans use the index of what is ready, in which all that an endpoint has waiting is read. Deliveries are
 * looked up one by one and then changed by their place: joined by their key, and while the planner takes the queue to be
 * empty, as after a vacuum of an empty one, all that waits would be compared with all outcomes.
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

// Whether a failure is of the same time of failing as the last one. A retry may come a tenth later than scheduled.
const GOES_ON = sql`f.failed_at - e.last_failed_at
                <= ${QUIET_MS}::bigint + 1100 * coalesce((select max(s) from unnest(e.retry_schedule) as s), 0)`
const IS_FAILING = sql`f.failed_at - e.failing_since >= ${DISABLE_AFTER_MS}::bigint and ${GOES_ON}`

/**
 * How endpoints fare: since when they fail, whether that disables them, and until when an ordered one waits. Only what
 * came from an endpoint's present URL, of deliveries that were not cancelled meanwhile, tells how it fares.
 */
const ENDPOINTS = sql`
    watched as materialized (
      select e.*
      from (
        select api_key, endpoint_id, bool_or(status <> 'succeeded') as failed
        from outcome
        group by api_key, endpoint_id
      ) o
      -- Limit: looked up one by one for sure. Joined, and while the planner knows of few, all there are were read.
      cross join lateral (
        select api_key, id, url, disabled, ordered, failing_since
        from webhook_endpoint
        where api_key = o.api_key and id = o.endpoint_id
        limit 1
      ) e
      -- Of the others a success tells nothing new.
      where o.failed or e.ordered or e.failing_since is not null
    ),
    faring as (
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
        -- A cancelled one tells that its send is over, and no more.
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
            when f.failed_at is null or ${GOES_ON} then coalesce(e.failing_since, f.failed_at)
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
      from faring f
      where e.api_key = f.api_key
        and e.id = f.endpoint_id
        and e.url = f.url
        and e.disabled = f.disabled
        and (
          -- The end of the send that holds it: not of one that outlived its lease or is recorded already.
          (e.ordered and e.held_until between f.last_sent_at and f.last_sent_at + ${HELD_MS})
          or f.gone
          or (f.succeeded and e.failing_since is not null)
          or f.failed_at is not null
        )
      returning e.api_key, e.id, e.disabled and not f.disabled as given_up, f.gone
    )`
