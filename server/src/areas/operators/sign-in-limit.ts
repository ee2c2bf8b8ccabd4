import { ApiError } from '../../platform/errors.ts'
import type { Call } from '../../platform/http/execute.ts'
import { createRateLimiter } from '../../platform/http/rate-limit.ts'
import type { Stream } from '../../platform/operation.ts'
import { networkOf } from '../../platform/outbound/address.ts'
import type { ConsoleOptions } from './console-options.ts'

export const SIGN_IN = '/console/api/session/sign-in'

/** How many sign-ins an address, and an account, may try in a minute. */
const ATTEMPTS = 10

type Answer = string | Stream

/**
 * Returns a function that lets a sign-in run if the address and the account have attempts left, or throws
 * RESOURCE_EXHAUSTED. Of an address it records the first refusal of a minute and the attempt that is one too many.
 */
export function createSignInLimit({ database, executorOf, own }: ConsoleOptions) {
  const byAddress = createRateLimiter(database, { name: 'console-address', points: ATTEMPTS, windowSeconds: 60 })
  const byAccount = createRateLimiter(database, { name: 'console-account', points: ATTEMPTS, windowSeconds: 60 })
  const refusals = createRateLimiter(database, { name: 'console-refused', points: ATTEMPTS, windowSeconds: 60 })
  const refusal = own.find(({ name }) => name === 'noteRefusal')
  const note = refusal && executorOf(refusal)
  return async (call: Call, data: Record<string, unknown>, run: () => Promise<Answer>): Promise<Answer> => {
    const actor = accountOf(data)
    const by = data.token !== undefined ? 'link' : data.email !== undefined ? 'password' : 'workspace token'
    const address = networkOf(call.request.clientAddress)
    const noted = (attempts: number) => note?.({ ...call, body: JSON.stringify({ data: { actor, by, attempts } }) })
    const verdicts = [await byAddress?.consume(address), actor === '' ? undefined : await byAccount?.consume(actor)]
    const refused = verdicts.find((verdict) => verdict?.allowed === false)
    if (refused) {
      const seconds = refused.resetSeconds
      throw new ApiError('RESOURCE_EXHAUSTED', `Too many attempts to sign in. Try again in ${seconds} seconds.`)
    }
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 'UNAUTHENTICATED') throw error
      const count = await refusals?.consume(address)
      const attempts = ATTEMPTS - (count?.remaining ?? 0)
      if (attempts === 1 || attempts === ATTEMPTS) await noted(attempts)
      throw error
    }
  }
}

/** Whom a sign-in is for, as far as it says; cut, because anybody can send it. */
function accountOf({ email, workspaceId }: Record<string, unknown>): string {
  const account = typeof email === 'string' ? email : typeof workspaceId === 'string' ? workspaceId : ''
  return account.replaceAll('\u0000', '').toWellFormed().toLowerCase().slice(0, 320)
}
