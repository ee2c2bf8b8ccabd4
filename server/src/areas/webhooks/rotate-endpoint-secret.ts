import { newSigningSecret } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { requireAdvancedWebhooks } from './advanced-config.ts'
import { lockEndpoint } from './endpoint.ts'
import { replaceSecret } from './endpoint-secret.ts'

const DAY_SECONDS = 86_400

/** Makes a new signing secret. Until the overlap ends, deliveries carry the signatures of both. */
export const rotateEndpointSecret = operation({
  path: '/v2/workspace/advancedwebhook/endpoints/secret/rotate',
  auth: 'apiKey',
  access: 'write',
  summary: 'Rotate the signing secret of an advanced webhook endpoint',
  input: Type.Object({
    endpointId: Type.String({ minLength: 1, description: 'Id of the endpoint.' }),
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30 * DAY_SECONDS,
        description: `How long the secret before stays valid; default: ${DAY_SECONDS}, one day; 0: it is void at once.`,
      }),
    ),
  }),
  output: Type.Object({ endpointId: Type.String(), secret: Type.String({ description: 'The new secret.' }) }),
  errors: ['FAILED_PRECONDITION', 'NOT_FOUND'],
  message: 'Advanced webhook endpoint secret rotated successfully.',
}).run(async ({ db, tenant, input: { endpointId, overlapSeconds = DAY_SECONDS }, secrets, clock }) => {
  await requireAdvancedWebhooks(db, tenant, secrets)
  await lockEndpoint(db, tenant, endpointId)
  const secret = newSigningSecret()
  const oldExpiresAt = overlapSeconds === 0 ? 0 : clock.now() + overlapSeconds * 1000
  await replaceSecret(db, tenant, secrets, endpointId, { secret, oldExpiresAt })
  return { endpointId, secret }
})
