import { ApiError } from '../../../platform/errors.ts'
import type { Call } from '../../../platform/http/execute.ts'
import type { Allowance } from '../../../platform/http/limits/call-limits.ts'
import { createRateLimiter } from '../../../platform/http/limits/rate-limit.ts'
import { networkOf } from '../../../platform/outbound/address.ts'
import type { ConsoleOptions } from './console-options.ts'
import type { Proof } from './proof.ts'

/** How many sign-ins an address, and an account, may try in a minute. */
const ATTEMPTS = 10
const SECONDS = 60

/** Somebody proves who they are. */
export interface Attempt extends Proof {
  call: Call
}

/** Limits how often people and machines may prove who they are. Refusals are recorded. */
export interface SignInLimit {
  /** Runs a sign-in if the address and the account have attempts left, or throws RESOURCE_EXHAUSTED. */
  attempt<T>(attempt: Attempt, run: () => Promise<T>): Promise<T>
  /** Counts only what is refused: for what comes with every call. `prove` throws when it refuses. */
  refusals(attempt: Attempt, prove: () => void): Promise<void>
}

/** Creates the limit. */
export function createSignInLimit({ database, executorOf, noteRefusal }: ConsoleOptions): SignInLimit {
  const limiter = (name: string) => createRateLimiter(database, { name, points: ATTEMPTS, windowSeconds: SECONDS })
  const [byAddress, byAccount] = [limiter('console-address'), limiter('console-account')]
  const byToken = limiter('console-token')
  /** How many wrong tokens of an address are being counted: many that come at once would be answered before. */
  const beingCounted = new Map<string, number>()
  const note = executorOf(noteRefusal)

  async function record({ call, account, by }: Attempt): Promise<void> {
    await note({ ...call, parsed: { data: { actor: account, by } } })
  }

  return {
    async attempt(attempt, run) {
      const address = networkOf(attempt.call.request.clientAddress)
      assertAllowed(await byAddress?.consume(address))
      if (attempt.account !== '') assertAllowed(await byAccount?.consume(attempt.account))
      try {
        return await run()
      } catch (error) {
        if (isRefusal(error)) await record(attempt)
        throw error
      }
    },
    async refusals(attempt, prove) {
      const address = networkOf(attempt.call.request.clientAddress)
      const wrong = beingCounted.get(address) ?? 0
      assertAllowed(wrong < ATTEMPTS ? byToken?.refused(address) : { allowed: false, resetSeconds: SECONDS })
      try {
        prove()
      } catch (error) {
        beingCounted.set(address, wrong + 1)
        try {
          await record(attempt)
          assertAllowed(await byToken?.consume(address))
        } finally {
          const left = (beingCounted.get(address) ?? 1) - 1
          if (left === 0) beingCounted.delete(address)
          else beingCounted.set(address, left)
        }
        throw error
      }
    },
  }
}

const isRefusal = (error: unknown) =>
  error instanceof ApiError && ['UNAUTHENTICATED', 'PERMISSION_DENIED'].includes(error.status)

function assertAllowed(allowance: Pick<Allowance, 'allowed' | 'resetSeconds'> | undefined): void {
  if (allowance?.allowed !== false) return
  const seconds = allowance.resetSeconds
  throw new ApiError('RESOURCE_EXHAUSTED', `Too many attempts to sign in. Try again in ${seconds} seconds.`)
}
