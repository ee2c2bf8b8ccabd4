import type { ApiKeyScope } from '../../../platform/context.ts'
import { type Db, empty, raw, type Sql, sql } from '../../../platform/db/db.ts'
import { firstIdAt } from '../../../platform/id.ts'
import { DELIVERY_COLUMNS, type DeliveryRow, type DeliveryStatus } from './delivery-record.ts'

/** How a last attempt ended: the class of its HTTP status, or `none` when there was no response. */
export const HTTP_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'none'] as const
export type HttpClass = (typeof HTTP_CLASSES)[number]

/** Which deliveries to list; a missing filter matches all. */
export interface DeliveryFilters {
  endpointId?: string | undefined
  status?: DeliveryStatus | undefined
  eventType?: string | undefined
  httpStatus?: HttpClass | undefined
  eventId?: string | undefined
  organizationId?: string | undefined
  documentId?: string | undefined
}

interface Search {
  filters: DeliveryFilters
  /** Of the events' commits, in epoch milliseconds, both inclusive. */
  range: { start: number; end: number }
  after: { eventId: string; endpointId: string } | undefined
  limit: number
}

/** Lists deliveries, those of the latest events first, at most `limit`. */
export function findDeliveries(db: Db, tenant: ApiKeyScope, search: Search): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(sql`
    select ${DELIVERY_COLUMNS}
    from (${found(tenant, search)}) d
    ${ORDER}
    limit ${search.limit}`)
}

/** SQL: the deliveries to list, perhaps among others, read in the order that passes the fewest. */
function found(tenant: ApiKeyScope, search: Search): Sql {
  const { organizationId, documentId, httpStatus } = search.filters
  if (organizationId !== undefined || documentId !== undefined) return ofPlace(tenant, search)
  return httpStatus ? ofClass(tenant, search) : any(tenant, search)
}

const ORDER = sql`order by d.event_id desc, d.endpoint_id desc`

const any = ({ apiKey }: ApiKeyScope, search: Search): Sql => sql`
      select d.*
      from webhook_delivery d
      where d.api_key = ${apiKey} and ${within(sql`d.event_id`, search)} ${matching(search)}`

/** The events of the place, the latest first, by an index; of each its deliveries. */
const ofPlace = ({ apiKey }: ApiKeyScope, search: Search): Sql => {
  const { organizationId, documentId, httpStatus } = search.filters
  return sql`
      select d.*
      from (
        select v.id
        from event v
        where v.api_key = ${apiKey} and ${within(sql`v.id`, search)}
          ${organizationId === undefined ? empty : isText(sql`v.organization_id`, organizationId)}
          ${documentId === undefined ? empty : isText(sql`v.document_id`, documentId)}
        order by v.id desc
      ) v
      cross join lateral (
        select d.*
        from webhook_delivery d
        where d.api_key = ${apiKey} and d.event_id = v.id ${matching(search)}
          ${httpStatus ? sql`and ${LAST_CLASS} = ${classNumber(httpStatus)}` : empty}
        offset 0
      ) d
      order by v.id desc, d.endpoint_id desc`
}

/** Indexes hold a hash of the text, which is short however long the text is. */
const isText = (column: Sql, value: string): Sql =>
  sql`and hashtextextended(${column}, 0) = hashtextextended(${value}::text, 0) and ${column} = ${value}`

/** What an attempt settled, by the index on its class; and what was attempted, and is pending or cancelled. */
const ofClass = ({ apiKey }: ApiKeyScope, search: Search): Sql => {
  const number = classNumber(search.filters.httpStatus ?? 'none')
  const arm = (condition: Sql) => sql`(
        select d.*
        from webhook_delivery d
        where d.api_key = ${apiKey} and ${within(sql`d.event_id`, search)} ${matching(search)} ${condition}
        ${ORDER}
        limit ${search.limit}
      )`
  // The class stands in the text, so that the planner sees that the partial index fits.
  const settled = sql`and not d.pending and d.sent_at is not null
          and coalesce(d.http_status / 100, 0) = ${raw(String(number))}`
  return sql`
      ${arm(settled)}
      union all
      ${arm(sql`and d.sent_at is null and d.attempt > 0 and ${LAST_CLASS} = ${number}`)}`
}

const classNumber = (httpClass: HttpClass): number => (httpClass === 'none' ? 0 : Number(httpClass[0]))

/** The class of the last attempt of `d`; null if there was none. */
const LAST_CLASS = sql`case
            when d.sent_at is not null then coalesce(d.http_status / 100, 0)
            when d.attempt > 0 then (
              select coalesce(a.http_status / 100, 0)
              from webhook_earlier_attempt a
              where a.api_key = d.api_key and a.event_id = d.event_id and a.endpoint_id = d.endpoint_id
              order by a.number desc
              limit 1
            )
          end`

/** Bounds of the ids of events. */
const within = (id: Sql, { range, after, filters: { eventId } }: Search): Sql => sql`
          ${id} >= ${firstIdAt('msg_', range.start)} and ${id} < ${firstIdAt('msg_', range.end + 1)}
          ${eventId === undefined ? empty : sql`and ${id} = ${eventId}`}
          ${after ? sql`and ${id} <= ${after.eventId}` : empty}`

const matching = ({ filters: { endpointId, status, eventType }, after }: Search): Sql => sql`
          ${endpointId === undefined ? empty : sql`and d.endpoint_id = ${endpointId}`}
          ${status === undefined ? empty : statusIs(status)}
          ${eventType === undefined ? empty : sql`and d.event_type = ${eventType}`}
          ${after ? sql`and (d.event_id, d.endpoint_id) < (${after.eventId}, ${after.endpointId})` : empty}`

// `pending` as a constant lets the planner read only one of the two tables behind the view.
const statusIs = (status: DeliveryStatus): Sql =>
  status === 'pending' ? sql`and d.pending` : sql`and not d.pending and d.status = ${status}`
