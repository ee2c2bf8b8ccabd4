import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { cancelDeliveries } from './delivery/delivery.ts'
import { requireAdvancedWebhooks } from './endpoint/advanced-config.ts'
import { EndpointId, endpointState, unknownEndpoint } from './endpoint/endpoint.ts'

/** Deletes an endpoint permanently. Its pending deliveries are cancelled and its signing secrets deleted. */
export const deleteEndpoint = operation({
  path: '/v2/workspace/advancedwebhook/endpoints/delete',
  auth: 'apiKey',
  access: 'write',
  administers: endpointState,
  summary: 'Delete an advanced webhook endpoint',
  input: Type.Object({ endpointId: EndpointId }),
  example: { endpointId: 'ep_0123456789abcdef01234567' },
  output: Type.Object({ endpointId: Type.String(), deleted: Type.Literal(true) }),
  errors: ['FAILED_PRECONDITION', 'NOT_FOUND'],
  message: 'Advanced webhook endpoint deleted successfully.',
}).run(async ({ db, tenant, input: { endpointId }, secrets }) => {
  await requireAdvancedWebhooks(db, tenant, secrets)
  await cancelDeliveries(db, tenant, endpointId)
  const [deleted] = await db.query(sql`
    delete from webhook_endpoint
    where api_key = ${tenant.apiKey} and id = ${endpointId} and kind = 'advanced'
    returning id`)
  if (!deleted) throw unknownEndpoint(endpointId)
  return { endpointId, deleted: true }
})
