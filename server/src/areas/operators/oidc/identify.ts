import type { Services } from '../../../platform/context.ts'
import type { Database } from '../../../platform/db/db.ts'
import { ApiError, invalidField } from '../../../platform/errors.ts'
import { createRateLimiter } from '../../../platform/http/limits/rate-limit.ts'
import type { Identity } from '../access/console-caller.ts'
import { hashOfToken } from '../access/link.ts'
import { FLOW_MINUTES, openFlow } from './flow.ts'

/** Takes the query that the issuer answered with, and the cookie of the sign-in. Returns who came back. */
export type Identify = (answer: unknown, cookie: string | undefined) => Promise<Identity>

/**
 * Lets the issuer say who came back, before the transaction of the sign-in, because it is asked over the network. A
 * sign-in that was begun ends once: it is used up even if it fails.
 */
export function createIdentify(database: Database, { issuer, secrets, clock }: Services): Identify {
  const uses = createRateLimiter(database, { name: 'console-flow', points: 1, windowSeconds: FLOW_MINUTES * 60 })
  return async (answer, cookie) => {
    if (typeof answer !== 'string' || answer.length > 8000) throw invalidField('answer', 'must be the query as a text')
    if (!issuer) throw new ApiError('UNAUTHENTICATED', 'This server has no OIDC_ISSUER.')
    const flow = cookie === undefined ? undefined : openFlow(cookie, secrets, clock.now())
    const use = flow && (await uses?.consume(hashOfToken(flow.state)))
    if (!flow || use?.allowed === false) {
      throw new ApiError(
        'UNAUTHENTICATED',
        'This sign-in was used, took longer than ten minutes, or was begun elsewhere. Begin again.',
      )
    }
    return issuer.finish(answer, flow)
  }
}
