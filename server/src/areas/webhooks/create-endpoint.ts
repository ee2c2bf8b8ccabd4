import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, json, sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { newEndpointId, newSigningSecret } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { lockAdvancedWebhooks } from './endpoint/advanced-config.ts'
import {
  checkMetadata,
  ENDPOINT_COLUMNS,
  Endpoint,
  EndpointFields,
  type EndpointRow,
  endpointState,
  toEndpoint,
} from './endpoint/endpoint.ts'
import { setSecret } from './endpoint/endpoint-secret.ts'
import { saveChannels } from './endpoint/subscription.ts'

/** The most advanced endpoints of an API key. The limit bounds how many deliveries one event queues. */
const MAX_ENDPOINTS = 500

/** Creates an endpoint and its signing secret, which callers read through secret/get. */
export const createEndpoint = operation({
  path: '/v2/workspace/advancedwebhook/endpoints/create',
  auth: 'apiKey',
  access: 'write',
  administers: endpointState,
  summary: 'Create an advanced webhook endpoint',
  input: Type.Object({
    ...Type.Partial(EndpointFields).properties,
    url: EndpointFields.properties.url,
  }),
  example: {
    url: 'https://app.example.com/webhooks/precedent',
    filterTypes: ['comment.add', 'comment_annotation.status_change'],
  },
  output: Endpoint,
  errors: ['FAILED_PRECONDITION', 'RESOURCE_EXHAUSTED'],
  message: 'Advanced webhook endpoint created successfully.',
}).run(async ({ db, tenant, input, secrets, outbound, clock }) => {
  outbound.assertUrl(input.url, 'url')
  checkMetadata(input.metadata ?? {})
  // Locked until the transaction ends, so that two concurrent calls cannot both create the last allowed endpoint.
  const config = await lockAdvancedWebhooks(db, tenant, secrets)
  await requireCapacity(db, tenant)
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
  if (row.channels) await saveChannels(db, tenant, id, row.channels)
  await setSecret(db, tenant, secrets, { endpointId: id, secret: newSigningSecret() })
  return toEndpoint(row)
})

async function requireCapacity(db: Db, tenant: ApiKeyTenant): Promise<void> {
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
