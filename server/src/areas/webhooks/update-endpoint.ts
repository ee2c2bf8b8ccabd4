import { json, sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { clearedByNull, REFUSES_NULL, type Static, Type } from '../../platform/schema.ts'
import { cancelDeliveries } from './delivery/delivery.ts'
import { requireAdvancedWebhooks } from './endpoint/advanced-config.ts'
import {
  checkMetadata,
  ENDPOINT_COLUMNS,
  Endpoint,
  EndpointFields,
  EndpointId,
  EndpointMetadataChange,
  type EndpointRow,
  endpointState,
  lockEndpoint,
  toEndpoint,
  unknownEndpoint,
} from './endpoint/endpoint.ts'
import { endpointDisabled } from './endpoint/event-type.ts'
import { endpointDisabledEvent } from './endpoint/operational-event.ts'
import { saveChannels } from './endpoint/subscription.ts'

const Input = Type.Object(
  {
    endpointId: EndpointId,
    ...Type.Partial(EndpointFields).properties,
    description: clearedByNull(EndpointFields.properties.description),
    filterTypes: clearedByNull(EndpointFields.properties.filterTypes),
    metadata: Type.Optional(EndpointMetadataChange),
  },
  REFUSES_NULL,
)

/** Changes the given fields. Disabling cancels pending deliveries and emits `endpoint.disabled` to other endpoints. */
export const updateEndpoint = operation({
  path: '/v2/workspace/advancedwebhook/endpoints/update',
  auth: 'apiKey',
  access: 'write',
  administers: endpointState,
  summary: 'Update an advanced webhook endpoint',
  input: Input,
  example: { endpointId: 'ep_0123456789abcdef01234567', description: 'Review events for the app' },
  output: Endpoint,
  errors: ['FAILED_PRECONDITION', 'NOT_FOUND'],
  message: 'Advanced webhook endpoint updated successfully.',
  check: (input) =>
    FIELDS.some((field) => input[field] !== undefined)
      ? []
      : [{ path: '', message: 'at least one endpoint field besides endpointId must be provided' }],
}).run(async ({ db, tenant, input, secrets, outbound, clock, emit }) => {
  if (input.url !== undefined) outbound.assertUrl(input.url, 'url')
  await requireAdvancedWebhooks(db, tenant, secrets)
  // Deliveries are locked before their endpoint, in the same order as workers do.
  if (input.disabled) await cancelDeliveries(db, tenant, input.endpointId)
  const before = await lockEndpoint(db, tenant, input.endpointId)
  const next = merged(before, input)
  checkMetadata(next.metadata)
  const [row] = await db.query<EndpointRow>(sql`
    update webhook_endpoint
    set url = ${next.url}, description = ${next.description}, filter_types = ${next.filter_types}::text[],
        channels = ${next.channels}::text[], disabled = ${next.disabled}, rate_limit = ${next.rate_limit},
        uid = ${next.uid}, metadata = ${json(next.metadata)}, retry_schedule = ${next.retry_schedule}::integer[],
        ordered = ${next.ordered}, updated_at = ${clock.now()}::bigint,
        failing_since = case when url = ${next.url} and disabled = ${next.disabled} then failing_since end,
        -- The delivery that an ordered endpoint waited for is cancelled, or no longer blocks it.
        next_send_at = case
          when ordered and (disabled or not ${next.ordered}) then 0
          else next_send_at
        end
    where api_key = ${tenant.apiKey} and id = ${input.endpointId}
    returning ${ENDPOINT_COLUMNS}`)
  if (!row) throw unknownEndpoint(input.endpointId)
  if (input.channels !== undefined) await saveChannels(db, tenant, input.endpointId, input.channels)
  if (row.disabled && !before.disabled) {
    const { id: endpointId, url } = row
    const failingSince = url === before.url ? before.failing_since : null
    await emit(endpointDisabled, [endpointDisabledEvent({ endpointId, url, reason: 'manual', failingSince })])
  }
  return toEndpoint(row)
})

const FIELDS = Object.keys(EndpointFields.properties) as (keyof typeof EndpointFields.properties)[]

/** Entries of both, the later of a key; without those that are null. */
const mergedMetadata = (before: Record<string, string>, change: Record<string, string | null>) =>
  Object.fromEntries(
    [...new Map<string, string | null>([...Object.entries(before), ...Object.entries(change)])].flatMap(
      ([key, value]) => (value === null ? [] : [[key, value]]),
    ),
  )

const distinct = (values: string[] | null) => values && [...new Set(values)]

function merged(row: EndpointRow, input: Static<typeof Input>): EndpointRow {
  return {
    ...row,
    url: input.url ?? row.url,
    description: input.description === undefined ? row.description : (input.description ?? ''),
    filter_types: input.filterTypes === undefined ? row.filter_types : distinct(input.filterTypes),
    channels: input.channels === undefined ? row.channels : input.channels,
    disabled: input.disabled ?? row.disabled,
    rate_limit: input.rateLimit === undefined ? row.rate_limit : input.rateLimit,
    uid: input.uid === undefined ? row.uid : input.uid,
    metadata: mergedMetadata(row.metadata, input.metadata ?? {}),
    retry_schedule: input.retrySchedule === undefined ? row.retry_schedule : input.retrySchedule,
    ordered: input.ordered ?? row.ordered,
  }
}
