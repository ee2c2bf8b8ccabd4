import { type Db, sql } from '../../platform/db/db.ts'

const ENDPOINTS_PER_VISIT = 256

/** An endpoint with something to send. */
export interface Waiting {
  apiKey: string
  endpointId: string
  active: boolean
  /** Whether it has a rate limit. */
  limited: boolean
  /** Whether its order or its rate limit decides when it is sent what. */
  gated: boolean
  nextSendAt: number
}

/** The endpoints behind a position that have something to send, in the order of their keys. */
export async function visitWaiting(
  db: Db,
  after: { apiKey: string; endpointId: string },
  now: number,
): Promise<Waiting[]> {
  return db.query<Waiting & object>(sql`
    with recursive visit as (
      (
        select d.api_key, d.endpoint_id, 1 as position
        from webhook_pending d
        where d.status = 'ready'
          and d.claimed_until <= ${now}::bigint
          and (d.api_key, d.endpoint_id) > (${after.apiKey}, ${after.endpointId})
        order by d.api_key, d.endpoint_id
        limit 1
      )
      union all
      select next.api_key, next.endpoint_id, v.position + 1
      from visit v
      cross join lateral (
        select d.api_key, d.endpoint_id
        from webhook_pending d
        where d.status = 'ready'
          and d.claimed_until <= ${now}::bigint
          and (d.api_key, d.endpoint_id) > (v.api_key, v.endpoint_id)
        order by d.api_key, d.endpoint_id
        limit 1
      ) next
      where v.position < ${ENDPOINTS_PER_VISIT}
    )
    select v.api_key as "apiKey", v.endpoint_id as "endpointId", coalesce(e.active, false) as active,
      e.rate_limit is not null as limited, coalesce(e.ordered or e.rate_limit is not null, false) as gated,
      coalesce(greatest(e.next_send_at, case when e.ordered then e.held_until end), 0) as "nextSendAt"
    from visit v
    -- Limit: looked up one by one for sure. Joined, and while the planner knows of few, all there are were read.
    left join lateral (
      select *
      from webhook_endpoint
      where api_key = v.api_key and id = v.endpoint_id
      limit 1
    ) e on true
    order by v.position`)
}

/** True when a visit was cut short and more endpoints follow. */
export const isPartial = (waiting: Waiting[]): boolean => waiting.length === ENDPOINTS_PER_VISIT

/** Makes ready what is to be tried again now. Answers how many, and when the next is due. */
export async function promoteDue(db: Db, now: number): Promise<{ promoted: number; nextAt: number | null }> {
  const [answer] = await db.query<{ promoted: number; nextAt: number | null }>(sql`
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
      returning d.attempt
    )
    select (select count(*) from promoted) as promoted,
      (
        select due_at
        from webhook_pending
        where status = 'scheduled' and due_at > ${now}::bigint
        order by due_at
        limit 1
      ) as "nextAt"`)
  return answer ?? { promoted: 0, nextAt: null }
}
