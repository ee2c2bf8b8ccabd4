import { newSigningSecret } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { requireAdvancedWebhooks } from './endpoint/advanced-config.ts'
import { EndpointId, lockEndpoint } from './endpoint/endpoint.ts'
import { MAX_OLD_SECRETS, rotateSecret, setSecret } from './endpoint/endpoint-secret.ts'

const DAY_SECONDS = 86_400

/** Makes a new signing secret. Until the overlap ends, deliveries also carry a signature by the previous secret. */
export const rotateEndpointSecret = operation({
  path: '/v2/workspace/advancedwebhook/endpoints/secret/rotate',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Rotate the signing secret of an advanced webhook endpoint',
  input: Type.Object({
    endpointId: EndpointId,
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30 * DAY_SECONDS,
        description: `How long the previous secret stays valid; default: ${DAY_SECONDS}, one day; 0: all earlier secrets are void at once. At most ${MAX_OLD_SECRETS} earlier secrets stay valid; beyond that the oldest end.`,
      }),
    ),
  }),
  example: { endpointId: 'ep_0123456789abcdef01234567', overlapSeconds: 3600 },
  output: Type.Object({ endpointId: Type.String(), secret: Type.String({ description: 'The new secret.' }) }),
  errors: ['FAILED_PRECONDITION', 'NOT_FOUND'],
  message: 'Advanced webhook endpoint secret rotated successfully.',
}).run(async ({ db, tenant, input: { endpointId, overlapSeconds = DAY_SECONDS }, secrets, clock }) => {
  await requireAdvancedWebhooks(db, tenant, secrets)
  await lockEndpoint(db, tenant, endpointId)
  const secret = newSigningSecret()
  const overlapMs = overlapSeconds * 1000
  if (overlapMs === 0) await setSecret(db, tenant, secrets, { endpointId, secret })
  else await rotateSecret(db, tenant, secrets, { endpointId, secret, now: clock.now(), overlapMs })
  return { endpointId, secret }
})
