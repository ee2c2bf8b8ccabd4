import { type Db, type Sql, sql } from '../../../platform/db/db.ts'

/** How many endpoints a scan reads at once. */
export const PAGE = 256

/** An endpoint among those of all API keys. */
export interface EndpointKey {
  apiKey: string
  endpointId: string
}

/** An endpoint's key as one string. */
export const endpointKeyOf = ({ apiKey, endpointId }: EndpointKey): string => `${apiKey} ${endpointId}`
/** The API key of such a string. */
export const apiKeyIn = (key: string): string => key.slice(0, key.indexOf(' '))

/** The position (`seq`) in an endpoint's queue from which deliveries may be ready. */
export interface QueueHead extends EndpointKey {
  from: number
}

/** An endpoint with a ready delivery at `from` or after. `from` is 0 if it is paced, to find its first delivery. */
export interface ReadyEndpoint extends QueueHead {
  active: boolean
  /** Whether it has a rate limit. */
  rateLimited: boolean
  /** Whether deliveries are sent one at a time. */
  ordered: boolean
  /** Whether it is ordered or rate-limited. */
  paced: boolean
  nextSendAt: number
}

/** Returns a page of the endpoints after a position that have ready deliveries, in the order of their keys. */
export async function scanReadyEndpoints(db: Db, after: EndpointKey, now: number): Promise<ReadyEndpoint[]> {
  return db.query<ReadyEndpoint>(sql`
    with recursive page as ${firstOfEach(isReady(now), { after, most: PAGE })}
    ${READY_ENDPOINTS}`)
}

/**
 * The query of the recursive table `page`: of each endpoint the first delivery that meets a condition, in the order of
 * the endpoints. Each step finds the next endpoint in the index, so that the deliveries in between are not read.
 */
const firstOfEach = (condition: Sql, { after, most }: { after: EndpointKey; most: number }) => sql`
    (
      (
        select d.api_key, d.endpoint_id, d.seq, d.due_at, 1 as position
        from webhook_pending d
        where ${condition} and (d.api_key, d.endpoint_id) > (${after.apiKey}, ${after.endpointId})
        order by d.api_key, d.endpoint_id, d.seq
        limit 1
      )
      union all
      select next.api_key, next.endpoint_id, next.seq, next.due_at, p.position + 1
      from page p
      cross join lateral (
        select d.api_key, d.endpoint_id, d.seq, d.due_at
        from webhook_pending d
        where ${condition} and (d.api_key, d.endpoint_id) > (p.api_key, p.endpoint_id)
        order by d.api_key, d.endpoint_id, d.seq
        limit 1
      ) next
      where p.position < ${most}
    )`

/** Returns those of the endpoints that have ready deliveries at their heads or after. Earlier rows are not read. */
export async function findReadyEndpoints(db: Db, heads: QueueHead[], now: number): Promise<ReadyEndpoint[]> {
  return db.query<ReadyEndpoint>(sql`
    with page as (
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

/** The columns of a `ReadyEndpoint`, for the endpoints of `page`. */
const READY_ENDPOINTS = sql`
    select p.api_key as "apiKey", p.endpoint_id as "endpointId", coalesce(e.active, false) as active,
      case when e.ordered or e.rate_limit is not null then 0 else p.seq end as "from",
      e.rate_limit is not null as "rateLimited", coalesce(e.ordered, false) as ordered,
      coalesce(e.ordered or e.rate_limit is not null, false) as paced,
      coalesce(greatest(e.next_send_at, case when e.ordered then e.held_until end), 0) as "nextSendAt"
    from page p
    -- The limit forces one look-up per row. With stale statistics a join would read every endpoint.
    left join lateral (
      select *
      from webhook_endpoint
      where api_key = p.api_key and id = p.endpoint_id
      limit 1
    ) e on true
    order by p.position`

/** The ready deliveries, as what follows `from`, in no order. */
export const READY_DELIVERIES = sql`(select due_at as at from webhook_pending where status = 'ready') ready`

/** The deliveries that wait for a retry, as what follows `from`, the one due first first. */
export const RETRIES = sql`
      (select due_at as at from webhook_pending where status = 'scheduled' order by due_at) scheduled`

/** SQL: whether a delivery is ready, or a retry due. */
export const deliveryIsDue = (now: number): Sql => sql`
  (
    exists (select from webhook_pending where status = 'ready')
    or exists (select from webhook_pending where status = 'scheduled' and due_at <= ${now}::bigint)
  )`

const MOST_HEADS = 1_000
const FIRST = { apiKey: '', endpointId: '' }

/** The first ready delivery of each endpoint, of a thousand endpoints, as what follows `from`. */
export const HEADS = sql`
      (
        with recursive page as ${firstOfEach(sql`d.status = 'ready'`, { after: FIRST, most: MOST_HEADS })}
        select due_at as at from page
      ) heads`

/** Whether the end of a send may unblock the endpoint: not if it waits for a time or is inactive. */
export const waitsForSends = ({ active, ordered, nextSendAt }: ReadyEndpoint, now: number): boolean =>
  active && (ordered || nextSendAt <= now)

/** Whether more endpoints may follow a page. */
export const hasMorePages = (page: ReadyEndpoint[]): boolean => page.length === PAGE

/** Makes at most 500 due retries ready. Returns their positions, and when the next one is due. */
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
      -- By ctid, as in recordOutcomes. The tenant is an expression, so that the planner cannot choose an index on it.
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
