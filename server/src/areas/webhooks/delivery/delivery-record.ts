import { type Sql, sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { timeOfId } from '../../../platform/id.ts'
import type { CallerRequest } from '../../../platform/operation.ts'
import { nullable, oneOf, type Static, Type, timestamp } from '../../../platform/schema.ts'
import { shownUrl } from '../endpoint/shown-url.ts'

const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** The status of a delivery as callers see it; `pending` covers everything that is still to be sent. */
export const statusInput = (description: string) => oneOf([...DELIVERY_STATUSES], description)

const Attempt = Type.Object({
  number: Type.Integer(),
  sentAt: timestamp('When it was sent.'),
  durationMs: Type.Integer({ description: 'From sending to the end of the response.' }),
  url: Type.String(),
  status: nullable(Type.Integer({ description: 'HTTP status; null without a response.' })),
  response: nullable(Type.String({ description: 'The first 4 KiB of the response.' })),
  error: nullable(Type.String({ description: 'Why there was no response.' })),
})

/** The delivery that a call is about. */
export const DeliveryId = Type.String({ minLength: 1, description: 'Id of the delivery.' })

/** One event on its way to one endpoint, with its last attempt. */
export const Delivery = Type.Object({
  id: Type.String({ description: 'Delivery id.' }),
  messageId: Type.String({ description: 'The `webhook-id` of every attempt.' }),
  endpointId: Type.String({ description: 'An endpoint, or `raw` or `processed` for the URLs of basic webhooks.' }),
  eventType: Type.String(),
  status: statusInput('Whether it was delivered.'),
  attempts: Type.Integer({ description: 'Attempts so far.' }),
  createdAt: timestamp('When the event was committed.'),
  nextAttemptAt: nullable(timestamp('When the next attempt is due; null if there is none.')),
  lastAttempt: nullable(Attempt),
})
export type Delivery = Static<typeof Delivery>

/** Resends have no end, and each attempt may hold 4 KiB of a response. */
const MOST_ATTEMPTS = 100

/** A delivery with its payload and its latest attempts. */
export const DeliveryDetails = Type.Object({
  ...Delivery.properties,
  request: Type.Object({
    url: nullable(Type.String({ description: 'Where the next attempt would go; null when the endpoint is gone.' })),
    payload: Type.Unknown({ description: 'What is sent, before protection, encryption and encoding.' }),
  }),
  attemptLog: Type.Array(Attempt, {
    description: `The latest ${MOST_ATTEMPTS} attempts that are still stored, the first one first; \`attempts\` counts all.`,
  }),
})

/** A delivery as stored, with its last attempt. */
export interface DeliveryRow {
  event_id: string
  endpoint_id: string
  event_type: string
  status: 'ready' | 'scheduled' | 'succeeded' | 'failed' | 'cancelled'
  /** Null when settled. */
  due_at: number | null
  attempt: number
  last_attempt: Static<typeof Attempt> | null
}

const ATTEMPT = sql`jsonb_build_object(
      'number', a.number, 'sentAt', a.sent_at, 'durationMs', a.duration_ms, 'url', a.url, 'status', a.http_status,
      'response', a.response, 'error', a.error)`

/** The columns of a `DeliveryRow`, from the view webhook_delivery as `d`. A settled row holds its own last attempt. */
export const DELIVERY_COLUMNS: Sql = sql`
    d.event_id, d.endpoint_id, d.event_type, d.status, d.due_at, d.attempt,
    case
      when d.sent_at is not null then jsonb_build_object(
        'number', d.attempt, 'sentAt', d.sent_at, 'durationMs', d.duration_ms, 'url', d.url, 'status', d.http_status,
        'response', d.response, 'error', d.error)
      when d.attempt > 0 then (
        select ${ATTEMPT}
        from webhook_earlier_attempt a
        where a.api_key = d.api_key and a.event_id = d.event_id and a.endpoint_id = d.endpoint_id
        order by a.number desc
        limit 1
      )
    end as last_attempt`

/** The latest attempts of the delivery `d`, as an array, the first one first. */
export const ATTEMPT_LOG: Sql = sql`
    (
      select coalesce(jsonb_agg(${ATTEMPT} order by a.number), '[]')
      from (
        select *
        from webhook_attempt l
        where l.api_key = d.api_key and l.event_id = d.event_id and l.endpoint_id = d.endpoint_id
        order by l.number desc
        limit ${MOST_ATTEMPTS}
      ) a
    ) as attempt_log`

/** Converts a row to a delivery as the caller of a request may see it. */
export function toDelivery(row: DeliveryRow, request: CallerRequest): Delivery {
  const isPending = PENDING.includes(row.status)
  const { last_attempt: last } = row
  return {
    id: deliveryId(row.event_id, row.endpoint_id),
    messageId: row.event_id,
    endpointId: row.endpoint_id,
    eventType: row.event_type,
    status: isPending ? 'pending' : (row.status as DeliveryStatus),
    attempts: row.attempt,
    createdAt: timeOfId('msg_', row.event_id),
    nextAttemptAt: row.due_at,
    lastAttempt: last && { ...last, url: shownUrl(request, last.url) },
  }
}

const PENDING = ['ready', 'scheduled']

/** The stored statuses that a caller's status stands for. */
export const storedStatuses = (status: DeliveryStatus): string[] => (status === 'pending' ? PENDING : [status])

/** The id of a delivery. It names the event and the endpoint, so it stays the same when the delivery is sent again. */
export const deliveryId = (eventId: string, endpointId: string): string =>
  `dlv_${eventId.replace(/^msg_/, '')}_${endpointId.replace(/^ep_/, '')}`

/** Returns the event and endpoint that a delivery id names; throws NOT_FOUND if it is malformed. */
export function parseDeliveryId(id: string): { eventId: string; endpointId: string } {
  const [, event, endpoint] = /^dlv_([0-9a-z]{26})_([0-9a-z]{26}|raw|processed)$/.exec(id) ?? []
  if (!event || !endpoint) throw unknownDelivery(id)
  return { eventId: `msg_${event}`, endpointId: endpoint.length === 26 ? `ep_${endpoint}` : endpoint }
}

/** The error for an id of no delivery: NOT_FOUND. */
export const unknownDelivery = (id: string): ApiError =>
  new ApiError('NOT_FOUND', `There is no webhook delivery ${id}.`)
