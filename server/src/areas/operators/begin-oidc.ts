import { ApiError } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { sealFlow } from './oidc/flow.ts'

/** Begins a sign-in by OpenID Connect: the browser gets a sealed cookie, and the address of the issuer to open. */
export const beginOidc = operation({
  path: '/console/api/session/begin-oidc',
  auth: 'none',
  access: 'read',
  summary: 'Begin a sign-in by OpenID Connect',
  input: Type.Object({}),
  output: Type.Object({ address: Type.String({ description: 'Of the issuer, to be opened within ten minutes.' }) }),
  errors: ['FAILED_PRECONDITION', 'UNAUTHENTICATED', 'UNAVAILABLE'],
  message: 'Sign-in begun.',
}).run(async ({ issuer, secrets, request }) => {
  if (!issuer) throw new ApiError('FAILED_PRECONDITION', 'This server has no OIDC_ISSUER.')
  const { address, flow } = await issuer.begin()
  request.console?.setCookie('sign-in', sealFlow(flow, secrets))
  return { address }
})
