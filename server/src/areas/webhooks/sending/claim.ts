import { type Db, empty, sql } from '../../../platform/db/db.ts'
import type { QueueHead } from './ready-endpoints.ts'

/** How long a claim holds. A delivery without an outcome by then may be claimed again: its process may have died. */
const LEASE_MS = 30_000

/** How long after its slot a rate-limited send may begin, by the clock of its process. */
export const SLOT_TOLERANCE_MS = 100
// Each process follows the database's clock (`DatabaseClock`) to within a few milliseconds if round trips are fast.
const CLOCKS_AGREE_MS = 10

/**
 * Slots are this divided by the rate apart. So any rate + 1 sends span more than a second, however late each is within
 * the tolerance, and in whichever processes, provided that their clocks agree within 10 ms.
 */
export const SPACING_MS = 1000 + SLOT_TOLERANCE_MS + CLOCKS_AGREE_MS
// Slots may begin this long before the claim is expected to return. Otherwise each slower claim would reduce the rate.
const CATCH_UP_MS = 20

// The lease of an abandoned delivery must end before its ordered endpoint is unblocked.
const MARGIN_MS = 5_000

/** A send blocks its ordered endpoint until its outcome is recorded, at most this long. */
export const ORDERED_LEASE_MS = LEASE_MS + MARGIN_MS

/** A delivery claimed for sending, with everything that its request needs. */
export interface Claimed {
  apiKey: string
  eventId: string
  endpointId: string
  eventType: string
  kind: 'advanced' | 'raw' | 'processed'
  /** JSON of an object. */
  payload: string
  url: string
  /** Sealed secrets separated by spaces, the current one first. */
  secrets: string | null
  encode: boolean
  publicKey: string | null
  protect: boolean
  retrySchedule: number[] | null
  ordered: boolean
  /** When it was due (epoch ms): its event, its retry or its resend. */
  readyAt: number
  attempt: number
  /** When the claim ends (epoch ms); identifies it among the claims of a delivery. */
  claimedUntil: number
  /** Attempts in this run of the retry schedule, this one included. */
  tries: number
  /** When the rate limit allows the send (epoch ms), a little ahead or just past; null without a limit. */
  slot: number | null
  /** Its position in the queue of its endpoint. */
  seq: number
  /** The span in which its event was written; null if nothing was traced. */
  traceparent: string | null
}

/** How many deliveries may be claimed for an endpoint, from which position on. */
export interface Allowance extends QueueHead {
  count: number
  /** As in `ReadyEndpoint`. */
  paced: boolean
}

/** When a claim is made (epoch ms), and how long it is expected to take. */
export interface ClaimTime {
  now: number
  expectedLatencyMs: number
}

/** A claim for endpoints that are all paced, or none of which is. */
export interface Claim extends ClaimTime {
  paced: boolean
}

/**
 * The latest slot that a claim may take: now plus twice the expected claim latency. So no slot passes before its claim
 * returns, and none is left unused.
 */
export const latestSlot = ({ now, expectedLatencyMs }: ClaimTime): number => now + 2 * expectedLatencyMs

/** Claims the oldest ready deliveries of endpoints, from their heads on. */
export async function claimReady(db: Db, allowances: Allowance[], claim: Claim): Promise<Claimed[]> {
  const { now, paced } = claim
  return db.query<Claimed>(sql`
    with ${claimableEndpoints(allowances, claim)},
    ${readyDeliveries(claim)}${paced ? reserveSlots(now) : empty}
    update webhook_pending d
    set claimed_until = ceil(greatest(${now}::float8, r.slot))::bigint + ${LEASE_MS},
        attempt = d.attempt + 1,
        tries = d.tries + 1
    from ready r
    -- The limit forces a look-up by the whole key. With stale statistics a join would read every event of the tenant.
    cross join lateral (
      select advanced, basic, processed, traceparent
      from event
      -- A range in the order of the key, so that no other index fits. While a partition is small the planner would take
      -- that of the organizations, and each look-up would then read every event of the tenant.
      where api_key = r.api_key and id between r.event_id and r.event_id
      order by id
      limit 1
    ) v
    -- By ctid, as in recordOutcomes. By key, the plan might compare the whole queue with every claimed row.
    where d.ctid = r.tid
    returning d.api_key as "apiKey", d.event_id as "eventId", d.endpoint_id as "endpointId", d.event_type as "eventType",
      r.kind, (case r.kind when 'advanced' then v.advanced when 'raw' then v.basic else v.processed end)::text as payload,
      r.url, r.secrets, r.encode, r.public_key as "publicKey", r.protect, r.retry_schedule as "retrySchedule", r.ordered,
      d.due_at as "readyAt", d.attempt, d.claimed_until as "claimedUntil", d.tries, r.slot, d.seq, v.traceparent`)
}

/** Whether a claim still holds: false if its delivery was cancelled or claimed again. */
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
 * The endpoints that may be sent to now, each with its secrets, its quota and its first free slot. Rows of paced
 * endpoints are locked while their slots are taken; those that another process has locked are skipped.
 */
const claimableEndpoints = (allowances: Allowance[], claim: Claim) => sql`
    endpoint as materialized (
      select e.api_key, e.id, e.kind, e.url, e.encode, e.public_key, e.protect, e.retry_schedule, e.ordered, e.rate_limit,
        w.quota, w.head,
        (
          select string_agg(s.sealed, ' ' order by s.seq desc)
          from webhook_secret s
          where s.api_key = e.api_key
            and s.endpoint_id = e.id
            and (s.expires_at is null or s.expires_at > ${claim.now}::bigint)
        ) as secrets,
        ${SPACING_MS}::float8 / e.rate_limit as spacing,
        case
          when e.rate_limit is not null
          then greatest(e.next_send_at, ${claim.now + claim.expectedLatencyMs - CATCH_UP_MS}::float8)
        end as first_slot
      from unnest(
        ${allowances.map(({ apiKey }) => apiKey)}::text[],
        ${allowances.map(({ endpointId }) => endpointId)}::text[],
        ${allowances.map(({ from }) => from)}::bigint[],
        ${allowances.map(({ count }) => count)}::integer[]
      ) as w (api_key, endpoint_id, head, quota)
      -- The limit forces one look-up per row, as for events.
      cross join lateral (
        select *
        from webhook_endpoint
        where api_key = w.api_key
          and id = w.endpoint_id
          and active
          and (ordered or rate_limit is not null) = ${claim.paced}::boolean
          and (not ordered or held_until <= ${claim.now}::float8)
          and next_send_at <= case
            when rate_limit is null then ${claim.now}::float8
            else ${latestSlot(claim)}::float8
          end
        limit 1
        ${claim.paced ? sql`for no key update skip locked` : empty}
      ) e
    )`

/** The slot of a ready delivery: the first free one of its endpoint, or one later for each delivery before it. */
const SLOT = sql`e.first_slot + e.spacing * (row_number() over (partition by e.api_key, e.id order by d.seq) - 1)`

/**
 * The oldest ready deliveries of these endpoints, as many as order, rate limit and quota allow, each with its slot and
 * its endpoint's columns, because a later join would compare it with every endpoint.
 */
const readyDeliveries = (claim: Claim) => sql`
    ready as materialized (
      select e.*, d.tid, e.id as endpoint_id, d.event_id, ${claim.paced ? SLOT : sql`null::float8`} as slot
      from endpoint e
      cross join lateral (
        select q.ctid as tid, q.event_id, q.seq
        from webhook_pending q
        where q.api_key = e.api_key
          and q.endpoint_id = e.id
          and q.seq >= e.head
          and q.status = 'ready'
          and q.claimed_until <= ${claim.now}::bigint
        order by q.seq
        limit case
          when e.ordered then 1
          when e.rate_limit is null then e.quota
          else least(e.quota, floor((${latestSlot(claim)}::float8 - e.first_slot) / e.spacing)::integer + 1)
        end
        for update skip locked
      ) d
    )`

/** Moves the next free slots of the endpoints forward, and blocks the ordered endpoints. */
const reserveSlots = (now: number) => sql`,
    reserved as (
      update webhook_endpoint e
      set next_send_at = case when e.ordered then e.next_send_at else r.first_slot + r.spacing * r.taken end,
          held_until = case when e.ordered then greatest(${now}::float8, r.first_slot) + ${ORDERED_LEASE_MS} else 0 end
      from (
        select api_key, endpoint_id, first_slot, spacing, count(*) as taken
        from ready
        group by api_key, endpoint_id, first_slot, spacing
      ) r
      where e.api_key = r.api_key and e.id = r.endpoint_id
    )`
