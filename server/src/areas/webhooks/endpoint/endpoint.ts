import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { ApiError, invalidField } from '../../../platform/errors.ts'
import type { StateReader } from '../../../platform/operation.ts'
import { httpUrl, nullable, oneOf, type Static, Type, text } from '../../../platform/schema.ts'
import { EVENT_TYPES } from './event-type.ts'

const eventType = oneOf(EVENT_TYPES, 'An event type.')

/** The endpoint that a call is about. */
export const EndpointId = Type.String({ minLength: 1, description: 'Id of the endpoint.' })

/** An endpoint as callers see it. The last two fields are present only if they were set. */
export const Endpoint = Type.Object({
  id: Type.String({ description: 'Endpoint id.' }),
  url: Type.String({ description: 'Receives the events.' }),
  description: Type.String(),
  filterTypes: Type.Array(eventType, {
    description: 'Event types it subscribes to; empty: all but the opt-in suggestion events.',
  }),
  channels: nullable(Type.Array(Type.String(), { description: 'Organizations and documents whose events it gets.' })),
  disabled: Type.Boolean({ description: 'Disabled endpoints receive no deliveries.' }),
  rateLimit: nullable(Type.Integer({ description: 'Deliveries per second at most.' })),
  uid: nullable(Type.String({ description: 'An id of your own.' })),
  createdAt: Type.String({ description: 'ISO-8601.' }),
  updatedAt: Type.String({ description: 'ISO-8601.' }),
  metadata: Type.Record(Type.String(), Type.String()),
  retrySchedule: Type.Optional(Type.Array(Type.Integer())),
  ordered: Type.Optional(Type.Boolean()),
})
export type Endpoint = Static<typeof Endpoint>

const channel = Type.String({ minLength: 1, maxLength: 256 })

/** What a caller may set on an endpoint. */
export const EndpointFields = Type.Object({
  url: httpUrl('Where events are sent: http or https.'),
  description: text('Shown beside the endpoint.'),
  filterTypes: Type.Array(eventType, {
    minItems: 1,
    description: 'Event types to receive; omitted at creation: all but the opt-in suggestion events.',
  }),
  channels: nullable(
    Type.Array(channel, {
      minItems: 1,
      description: 'Ids of organizations and documents whose events to receive; null: all.',
    }),
  ),
  disabled: Type.Boolean({ description: 'Whether it receives nothing for now.' }),
  rateLimit: nullable(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Deliveries per second at most; null: no limit.' }),
  ),
  uid: nullable(Type.String({ minLength: 1, maxLength: 256, description: 'An id of your own.' })),
  metadata: Type.Record(Type.String(), Type.String(), {
    description: 'Merged per key; at most 50 keys and 64 KiB of JSON in all.',
  }),
  retrySchedule: nullable(
    Type.Array(Type.Integer({ minimum: 1, maximum: 604_800 }), {
      maxItems: 20,
      description: 'Seconds before each retry; empty: none; null: the standard schedule.',
    }),
  ),
  ordered: Type.Boolean({
    description: 'Whether events are sent one at a time, in order: a failing one holds up those behind it.',
  }),
})

/** What an update does to the metadata of an endpoint. */
export const EndpointMetadataChange = Type.Record(Type.String(), nullable(Type.String()), {
  description: 'Merged per key; null removes a key. At most 50 keys and 64 KiB of JSON in all.',
})

const MAX_METADATA_KEYS = 50
const MAX_METADATA_BYTES = 64 * 1024

/** Throws INVALID_ARGUMENT if an endpoint's metadata, merged with what it had before, is too large. */
export function checkMetadata(metadata: Record<string, string>): void {
  if (Object.keys(metadata).length > MAX_METADATA_KEYS) {
    throw invalidField('metadata', `must have at most ${MAX_METADATA_KEYS} keys in all`)
  }
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) {
    throw invalidField('metadata', `must have at most ${MAX_METADATA_BYTES} bytes of JSON in all`)
  }
}

/** An advanced endpoint as stored. */
export interface EndpointRow {
  id: string
  url: string
  description: string
  filter_types: string[] | null
  channels: string[] | null
  disabled: boolean
  rate_limit: number | null
  uid: string | null
  metadata: Record<string, string>
  retry_schedule: number[] | null
  ordered: boolean
  created_at: number
  updated_at: number
  /** Since when its attempts have failed; of a disabled one, if the service disabled it for that. */
  failing_since: number | null
}

/** The columns of an `EndpointRow`. */
export const ENDPOINT_COLUMNS = sql`
  id, url, description, filter_types, channels, disabled, rate_limit, uid, metadata, retry_schedule, ordered,
  created_at, updated_at, failing_since`

/** Converts a row to an endpoint as callers see it. */
export function toEndpoint(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    filterTypes: row.filter_types ?? [],
    channels: row.channels,
    disabled: row.disabled,
    rateLimit: row.rate_limit,
    uid: row.uid,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    metadata: row.metadata,
    ...(row.retry_schedule && { retrySchedule: row.retry_schedule }),
    ...(row.ordered && { ordered: true }),
  }
}

/** The error for an id of no advanced endpoint: NOT_FOUND. */
export const unknownEndpoint = (endpointId: string): ApiError =>
  new ApiError('NOT_FOUND', `There is no advanced webhook endpoint ${endpointId}.`)

/** Returns an advanced endpoint and locks it until the transaction ends; throws NOT_FOUND naming it. */
export async function lockEndpoint(db: Db, tenant: ApiKeyTenant, endpointId: string): Promise<EndpointRow> {
  const [row] = await db.query<EndpointRow>(sql`
    select ${ENDPOINT_COLUMNS}
    from webhook_endpoint
    where api_key = ${tenant.apiKey} and id = ${endpointId} and kind = 'advanced'
    for no key update`)
  if (!row) throw unknownEndpoint(endpointId)
  return row
}

/** Throws NOT_FOUND for an unknown endpoint (of any kind), FAILED_PRECONDITION if it or its service is disabled. */
export async function requireActive(db: Db, tenant: ApiKeyTenant, endpointId: string): Promise<void> {
  const [row] = await db.query<{ active: boolean }>(sql`
    select active from webhook_endpoint where api_key = ${tenant.apiKey} and id = ${endpointId}`)
  if (!row) throw unknownEndpoint(endpointId)
  if (!row.active) {
    throw new ApiError('FAILED_PRECONDITION', `The endpoint ${endpointId} or its webhook service is disabled.`)
  }
}

/** The endpoint that a call names or makes, for its audit record. */
export const endpointState: StateReader = async ({ db, tenant, input, answer }) => {
  const apiKey = tenant && 'apiKey' in tenant ? tenant.apiKey : null
  const id = input.endpointId ?? (answer as { id?: string } | undefined)?.id ?? null
  const [row] = await db.query<EndpointRow>(sql`
    select ${ENDPOINT_COLUMNS}
    from webhook_endpoint
    where api_key = ${apiKey} and id = ${id} and kind = 'advanced'`)
  return row ? toEndpoint(row) : null
}
