import type { HttpRequest } from '../../../platform/http/http.ts'
import { createIdentify } from '../oidc/identify.ts'
import type { ConsoleOptions } from './console-options.ts'
import type { ConsoleRequests, ParsedCall } from './console-request.ts'
import { matchPassword } from './match-password.ts'
import { proofOf } from './proof.ts'
import type { SignInLimit } from './sign-in-limit.ts'

/** Runs a call of an operation of the console; if it holds a proof of who somebody is, within the limit of these. */
export type RunProven = <T>(path: string, request: HttpRequest, call: ParsedCall, run: () => Promise<T>) => Promise<T>

/**
 * Creates what proves, before the transaction of a call, what takes long to prove: who came back from the issuer, or
 * that a password fits. It puts that into the call.
 */
export function createProving(options: ConsoleOptions, requests: ConsoleRequests, limit: SignInLimit): RunProven {
  const { database, services } = options
  const identify = createIdentify(database, services)
  return async (path, request, call, run) => {
    const { data } = call.parsed
    const proof = proofOf(path, data, request.consoleSession)
    if (!proof) return run()
    const attempt = { call, ...proof }
    return limit.attempt(attempt, async () => {
      const { console } = call.request
      if (console && proof.by === 'password') {
        console.passwordHash = await matchPassword(database.checks, services.config, data)
      } else if (console && proof.by === 'oidc') {
        console.identity = await identify(data.answer, requests.cookieOf(request, 'sign-in'))
        // Only now it is known whose sign-in it is, for the record of a refusal.
        attempt.account = console.identity.email
      }
      return run()
    })
  }
}
