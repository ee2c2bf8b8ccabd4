import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, json, sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { newEndpointId, newSigningSecret } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { holdAdvancedWebhooks } from './endpoint/advanced-config.ts'
import {
  checkMetadata,
  ENDPOINT_COLUMNS,
  Endpoint,
  EndpointFields,
  type EndpointRow,
  toEndpoint,
} from './endpoint/endpoint.ts'
import { setSecret } from './endpoint/endpoint-secret.ts'
import { eventTypeIssues } from './endpoint/event-type.ts'
import { listChannels } from './endpoint/subscription.ts'

/** Advanced endpoints of an API key: each event is queued for every one that subscribes to it. */
const MAX_ENDPOINTS = 500

/** Creates an endpoint; its signing secret is made here and read through secret/get. */
export const createEndpoint = operation({
  path: '/v2/workspace/advancedwebhook/endpoints/create',
  auth: 'apiKey',
  access: 'write',
  summary: 'Create an advanced webhook endpoint',
  input: Type.Object({
    ...Type.Partial(EndpointFields).properties,
    url: EndpointFields.properties.url,
  }),
  output: Endpoint,
  errors: ['FAILED_PRECONDITION', 'RESOURCE_EXHAUSTED'],
  message: 'Advanced webhook endpoint created successfully.',
  check: ({ filterTypes }) => eventTypeIssues(filterTypes),
}).run(async ({ db, tenant, input, secrets, outbound, clock }) => {
  outbound.assertUrl(input.url, 'url')
  checkMetadata(input.metadata ?? {})
  // Held until the transaction ends, so that no two calls both find room for the last endpoint.
  const config = await holdAdvancedWebhooks(db, tenant, secrets)
  await requireRoom(db, tenant)
  const id = newEndpointId()
  const now = clock.now()
  const [row] = await db.query<EndpointRow>(sql`
    insert into webhook_endpoint (
      api_key, id, kind, url, description, filter_types, channels, disabled, rate_limit, uid, metadata,
      retry_schedule, ordered, enabled, encode, public_key, protect, created_at, updated_at)
    values (
      ${tenant.apiKey}, ${id}, 'advanced', ${input.url}, ${input.description ?? ''},
      ${input.filterTypes ? [...new Set(input.filterTypes)] : null}::text[], ${input.channels ?? null}::text[],
      ${input.disabled ?? false}, ${input.rateLimit ?? null}, ${input.uid ?? null}, ${json(input.metadata ?? {})},
      ${input.retrySchedule ?? null}::integer[], ${input.ordered ?? false},
      true, ${config.encodeData}, ${config.encryptData ? config.publicKey : null}, ${config.enableDataProtection},
      ${now}::bigint, ${now}::bigint)
    returning ${ENDPOINT_COLUMNS}`)
  if (!row) throw new Error('The endpoint just written cannot be read.')
  if (row.channels) await listChannels(db, tenant, id, row.channels)
  await setSecret(db, tenant, secrets, id, newSigningSecret())
  return toEndpoint(row)
})

async function requireRoom(db: Db, tenant: ApiKeyTenant): Promise<void> {
  const [found] = await db.query<{ count: number }>(sql`
    select count(*) as count
    from webhook_endpoint
    where api_key = ${tenant.apiKey} and kind = 'advanced'`)
  if ((found?.count ?? 0) >= MAX_ENDPOINTS) {
    throw new ApiError(
      'RESOURCE_EXHAUSTED',
      `An API key has at most ${MAX_ENDPOINTS} advanced webhook endpoints. Delete one to create another.`,
    )
  }
}
