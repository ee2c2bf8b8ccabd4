import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { requireAdvancedWebhooks } from './endpoint/advanced-config.ts'
import { EndpointId, unknownEndpoint } from './endpoint/endpoint.ts'
import { endpointSecretContext } from './endpoint/endpoint-secret.ts'

/** Returns the current signing secret of an endpoint; during a rotation that is the new one. */
export const getEndpointSecret = operation({
  path: '/v2/workspace/advancedwebhook/endpoints/secret/get',
  auth: 'apiKey',
  access: 'read',
  administers: true,
  summary: 'Get the signing secret of an advanced webhook endpoint',
  input: Type.Object({ endpointId: EndpointId }),
  example: { endpointId: 'ep_0123456789abcdef01234567' },
  output: Type.Object({ endpointId: Type.String(), secret: Type.String({ description: '`whsec_…`' }) }),
  errors: ['FAILED_PRECONDITION', 'NOT_FOUND'],
  message: 'Advanced webhook endpoint secret retrieved successfully.',
}).run(async ({ db, tenant, input: { endpointId }, secrets }) => {
  await requireAdvancedWebhooks(db, tenant, secrets)
  const [row] = await db.query<{ sealed: string }>(sql`
    select s.sealed
    from webhook_endpoint e
    join webhook_secret s on s.api_key = e.api_key and s.endpoint_id = e.id
    where e.api_key = ${tenant.apiKey} and e.id = ${endpointId} and e.kind = 'advanced' and s.expires_at is null`)
  if (!row) throw unknownEndpoint(endpointId)
  return { endpointId, secret: secrets.open(row.sealed, endpointSecretContext(tenant.apiKey, endpointId)) }
})
