import { type Db, empty, sql } from '../../../platform/db/db.ts'
import type { QueueHead } from './ready-endpoints.ts'

/** After so long a claimed delivery counts as lost with its process and may be claimed again. */
export const LEASE_MS = 30_000

/** How much later than its slot a rate-limited send may begin, by the clock of its process. */
export const SLOT_TOLERANCE_MS = 100
// Each process follows the database's clock (`DatabaseClock`) to within a few milliseconds, over quick round trips.
const CLOCKS_AGREE_MS = 10

/**
 * Slots are this / rate apart, so any rate + 1 sends take more than a second however late each of them was, in whichever
 * processes, as long as their clocks agree within 10 ms.
 */
export const SPACING_MS = 1000 + SLOT_TOLERANCE_MS + CLOCKS_AGREE_MS
// Slots may begin so much before the claim is expected to be answered, or every later answer would slow the rate down.
const CATCH_UP_MS = 20

// A lost delivery may be claimed again when its ordered endpoint opens.
const MARGIN_MS = 5_000

/** A send holds its ordered endpoint until its end is recorded, or for so long. */
export const HELD_MS = LEASE_MS + MARGIN_MS

/** A delivery claimed for sending, with everything that its request is made of. */
export interface Claimed {
  apiKey: string
  eventId: string
  endpointId: string
  eventType: string
  kind: 'advanced' | 'raw' | 'processed'
  /** JSON of an object. */
  payload: string
  url: string
  /** Sealed, with spaces between; the current one first. */
  secrets: string | null
  encode: boolean
  publicKey: string | null
  protect: boolean
  retrySchedule: number[] | null
  ordered: boolean
  attempt: number
  /** Until when the claim holds, which tells it from others. */
  claimedUntil: number
  tries: number
  /** When the rate limit lets it go, a little ahead or just past; null without a limit. */
  slot: number | null
  /** Its place in the queue of its endpoint. */
  seq: number
}

/** How much may be claimed for an endpoint, from which place in its queue on. */
export interface Allowance extends QueueHead {
  count: number
  /** As in `Waiting`. */
  paced: boolean
}

/** When a claim is made, and how long it is expected to take. */
export interface ClaimTime {
  now: number
  expectedLatencyMs: number
}

/**
 * Up to when slots may be taken: from the expected answer of a claim to that of the next one, so that however long
 * claims take, none is answered after its slots, and no time is left without any.
 */
export const latestSlot = ({ now, expectedLatencyMs }: ClaimTime): number => now + 2 * expectedLatencyMs

/** Claims the oldest deliveries of endpoints from their heads on, all of them paced or none. */
export async function claimReady(
  db: Db,
  allowances: Allowance[],
  paced: boolean,
  moment: ClaimTime,
): Promise<Claimed[]> {
  const { now } = moment
  return db.query<Claimed & object>(sql`
    with ${openEndpoints(allowances, moment, paced)},
    ${readyOf(moment, paced)}${paced ? gateAt(now) : empty}
    update webhook_pending d
    set claimed_until = ceil(greatest(${now}::float8, r.first_slot + r.spacing * r.position))::bigint + ${LEASE_MS},
        attempt = d.attempt + 1,
        tries = d.tries + 1
    from ready r
    -- Limit: looked up by its whole key for sure. Joined, and while the planner knows of few, all of a tenant were read.
    cross join lateral (
      select advanced, basic, processed
      from event
      where api_key = r.api_key and id = r.event_id
      limit 1
    ) v
    -- As in recordOutcomes: by its key, all that waits might be compared with all that is claimed.
    where d.ctid = r.tid
    returning d.api_key as "apiKey", d.event_id as "eventId", d.endpoint_id as "endpointId", d.event_type as "eventType",
      r.kind, (case r.kind when 'advanced' then v.advanced when 'raw' then v.basic else v.processed end)::text as payload,
      r.url, r.secrets, r.encode, r.public_key as "publicKey", r.protect, r.retry_schedule as "retrySchedule", r.ordered,
      d.attempt, d.claimed_until as "claimedUntil", d.tries, r.first_slot + r.spacing * r.position as slot, d.seq`)
}

/** Whether a claim still holds: false when its delivery was cancelled, or its lease ended. */
export async function isClaimed(
  db: Db,
  { apiKey, eventId, endpointId, attempt, claimedUntil }: Omit<Claimed, 'slot'>,
): Promise<boolean> {
  const rows = await db.query(sql`
    select
    from webhook_pending
    where api_key = ${apiKey}
      and event_id = ${eventId}
      and endpoint_id = ${endpointId}
      and attempt = ${attempt}
      and claimed_until = ${claimedUntil}::bigint
      and status = 'ready'`)
  return rows.length > 0
}

/**
 * The endpoints that may be sent to now, each with its secrets, its quota and its first free slot. The row of a paced one
 * is locked while its slots are taken; one that another process holds is left to it.
 */
const openEndpoints = (allowances: Allowance[], moment: ClaimTime, paced: boolean) => sql`
    endpoint as materialized (
      select e.api_key, e.id, e.kind, e.url, e.encode, e.public_key, e.protect, e.retry_schedule, e.ordered, e.rate_limit,
        w.quota, w.head,
        (
          select string_agg(s.sealed, ' ' order by s.seq desc)
          from webhook_secret s
          where s.api_key = e.api_key
            and s.endpoint_id = e.id
            and (s.expires_at is null or s.expires_at > ${moment.now}::bigint)
        ) as secrets,
        ${SPACING_MS}::float8 / e.rate_limit as spacing,
        case
          when e.rate_limit is not null
          then greatest(e.next_send_at, ${moment.now + moment.expectedLatencyMs - CATCH_UP_MS}::float8)
        end as first_slot
      from unnest(
        ${allowances.map(({ apiKey }) => apiKey)}::text[],
        ${allowances.map(({ endpointId }) => endpointId)}::text[],
        ${allowances.map(({ from }) => from)}::bigint[],
        ${allowances.map(({ count }) => count)}::integer[]
      ) as w (api_key, endpoint_id, head, quota)
      -- Limit: as in the look-up of events.
      cross join lateral (
        select *
        from webhook_endpoint
        where api_key = w.api_key
          and id = w.endpoint_id
          and active
          and (ordered or rate_limit is not null) = ${paced}::boolean
          and (not ordered or held_until <= ${moment.now}::float8)
          and next_send_at <= case
            when rate_limit is null then ${moment.now}::float8
            else ${latestSlot(moment)}::float8
          end
        limit 1
        ${paced ? sql`for no key update skip locked` : empty}
      ) e
    )`

/**
 * Their oldest deliveries, as many as order, rate limit and quota let go, numbered from 0 per endpoint. Each carries its
 * endpoint: joined to it again, each would be compared with every endpoint.
 */
const readyOf = (moment: ClaimTime, paced: boolean) => sql`
    ready as materialized (
      select e.*, d.tid, e.id as endpoint_id, d.event_id,
        ${paced ? sql`row_number() over (partition by e.api_key, e.id order by d.seq) - 1` : sql`0`} as position
      from endpoint e
      cross join lateral (
        select q.ctid as tid, q.event_id, q.seq
        from webhook_pending q
        where q.api_key = e.api_key
          and q.endpoint_id = e.id
          and q.seq >= e.head
          and q.status = 'ready'
          and q.claimed_until <= ${moment.now}::bigint
        order by q.seq
        limit case
          when e.ordered then 1
          when e.rate_limit is null then e.quota
          else least(e.quota, floor((${latestSlot(moment)}::float8 - e.first_slot) / e.spacing)::integer + 1)
        end
        for update skip locked
      ) d
    )`

/** Moves the next free slots of the endpoints forward, and holds the ordered ones. */
const gateAt = (now: number) => sql`,
    gate as (
      update webhook_endpoint e
      set next_send_at = case when e.ordered then e.next_send_at else r.first_slot + r.spacing * r.taken end,
          held_until = case when e.ordered then greatest(${now}::float8, r.first_slot) + ${HELD_MS} else 0 end
      from (
        select api_key, endpoint_id, first_slot, spacing, count(*) as taken
        from ready
        group by api_key, endpoint_id, first_slot, spacing
      ) r
      where e.api_key = r.api_key and e.id = r.endpoint_id
    )`
