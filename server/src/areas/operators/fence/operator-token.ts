import { hash, timingSafeEqual } from 'node:crypto'
import type { Services } from '../../../platform/context.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { Secrets } from '../../../platform/secret.ts'

/** Whether a text is `OPERATOR_TOKEN`, compared in constant time; false where none is set. */
export function isOperatorToken(text: string, { operatorToken }: Services['config']): boolean {
  const digest = (token: string) => hash('sha256', token, 'buffer')
  return operatorToken !== undefined && timingSafeEqual(digest(text), digest(operatorToken))
}

/** Whether a stored hash is that of the token which is set now, so that a session ends when the token is changed. */
export const isCurrentToken =
  ({ config: { operatorToken }, secrets }: { config: Services['config']; secrets: Secrets }) =>
  (stored: string): boolean =>
    operatorToken !== undefined && secrets.verify(operatorToken, stored)

/** UNAUTHENTICATED: says which token is meant, because a caller may have sent that of an API key. */
export const wrongOperatorToken = () =>
  new ApiError('UNAUTHENTICATED', 'The token is not OPERATOR_TOKEN of this server.')
