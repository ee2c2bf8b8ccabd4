import { type Db, sql } from '../../../platform/db/db.ts'

/** How many endpoints are looked at together. */
export const PAGE = 256

/** The first place in the queue of an endpoint that may have something to send. */
export interface QueueHead {
  apiKey: string
  endpointId: string
  from: number
}

/** An endpoint with something to send, from that place on; from 0 where it is paced, whose first is always looked for. */
export interface ReadyEndpoint extends QueueHead {
  active: boolean
  /** Whether it has a rate limit. */
  rateLimited: boolean
  /** Whether one is sent after the other. */
  ordered: boolean
  /** Whether its order or its rate limit decides when it is sent what. */
  paced: boolean
  nextSendAt: number
}

/** The endpoints behind a position that have something to send, in the order of their keys. */
export async function scanReadyEndpoints(
  db: Db,
  after: { apiKey: string; endpointId: string },
  now: number,
): Promise<ReadyEndpoint[]> {
  return db.query<ReadyEndpoint & object>(sql`
    with recursive visit as (
      (
        select d.api_key, d.endpoint_id, d.seq, 1 as position
        from webhook_pending d
        where ${isReady(now)} and (d.api_key, d.endpoint_id) > (${after.apiKey}, ${after.endpointId})
        order by d.api_key, d.endpoint_id, d.seq
        limit 1
      )
      union all
      select next.api_key, next.endpoint_id, next.seq, v.position + 1
      from visit v
      cross join lateral (
        select d.api_key, d.endpoint_id, d.seq
        from webhook_pending d
        where ${isReady(now)} and (d.api_key, d.endpoint_id) > (v.api_key, v.endpoint_id)
        order by d.api_key, d.endpoint_id, d.seq
        limit 1
      ) next
      where v.position < ${PAGE}
    )
    ${READY_ENDPOINTS}`)
}

/** Those of the endpoints that have something to send from there on, in their order. What is before it is not looked at. */
export async function findReadyEndpoints(db: Db, heads: QueueHead[], now: number): Promise<ReadyEndpoint[]> {
  return db.query<ReadyEndpoint & object>(sql`
    with visit as (
      select h.api_key, h.endpoint_id, d.seq, h.position
      from unnest(
        ${heads.map(({ apiKey }) => apiKey)}::text[],
        ${heads.map(({ endpointId }) => endpointId)}::text[],
        ${heads.map(({ from }) => from)}::bigint[]
      ) with ordinality as h (api_key, endpoint_id, head, position)
      cross join lateral (
        select d.seq
        from webhook_pending d
        where d.api_key = h.api_key and d.endpoint_id = h.endpoint_id and d.seq >= h.head and ${isReady(now)}
        order by d.seq
        limit 1
      ) d
    )
    ${READY_ENDPOINTS}`)
}

const isReady = (now: number) => sql`d.status = 'ready' and d.claimed_until <= ${now}::bigint`

/** What is to be known of the endpoints of `visit`. */
const READY_ENDPOINTS = sql`
    select v.api_key as "apiKey", v.endpoint_id as "endpointId", coalesce(e.active, false) as active,
      case when e.ordered or e.rate_limit is not null then 0 else v.seq end as "from",
      e.rate_limit is not null as "rateLimited", coalesce(e.ordered, false) as ordered, coalesce(e.ordered or e.rate_limit is not null, false) as paced,
      coalesce(greatest(e.next_send_at, case when e.ordered then e.held_until end), 0) as "nextSendAt"
    from visit v
    -- Limit: looked up one by one for sure. Joined, and while the planner knows of few, all there are were read.
    left join lateral (
      select *
      from webhook_endpoint
      where api_key = v.api_key and id = v.endpoint_id
      limit 1
    ) e on true
    order by v.position`

/** Whether the end of a send may let go what waits: not what waits for its time, or is cancelled. */
export const waitsForSends = ({ active, ordered, nextSendAt }: ReadyEndpoint, now: number): boolean =>
  active && (ordered || nextSendAt <= now)

/** True when a visit was cut short and more endpoints follow. */
export const hasMorePages = (waiting: ReadyEndpoint[]): boolean => waiting.length === PAGE

/** Makes ready what is to be tried again now. Answers where that is, and when the next is due. */
export async function promoteDue(db: Db, now: number): Promise<{ promoted: QueueHead[]; nextAt: number | null }> {
  const [answer] = await db.query<{ promoted: QueueHead[]; nextAt: number | null }>(sql`
    with due as (
      select api_key, ctid as tid
      from webhook_pending
      where status = 'scheduled' and due_at <= ${now}::bigint
      order by due_at
      limit 500
      for update skip locked
    ),
    promoted as (
      update webhook_pending d
      set status = 'ready'
      from due
      -- By place, as in recordOutcomes; the tenant as an expression, by which no index is an alternative.
      where d.ctid = due.tid and d.api_key || '' = due.api_key
      returning d.api_key as "apiKey", d.endpoint_id as "endpointId", d.seq as "from"
    )
    select coalesce((select jsonb_agg(to_jsonb(p)) from promoted p), '[]') as promoted,
      (
        select due_at
        from webhook_pending
        where status = 'scheduled' and due_at > ${now}::bigint
        order by due_at
        limit 1
      ) as "nextAt"`)
  return answer ?? { promoted: [], nextAt: null }
}
