import { ApiError, invalidField } from '../../../platform/errors.ts'
import { bearerOf, NO_CREDENTIALS } from '../../../platform/http/authenticator.ts'
import { pauses, readJson } from '../../../platform/http/body/read-input.ts'
import { bodyText } from '../../../platform/http/body/request-body.ts'
import type { Call } from '../../../platform/http/execute.ts'
import type { HttpReply, HttpRequest } from '../../../platform/http/http.ts'
import { isObject } from '../../../platform/json-value.ts'
import { findSession, isMachine, machineSession } from '../access/session.ts'
import type { ConsoleOptions } from './console-options.ts'
import { cookieHeader, createCookieRule, readCookie } from './cookie.ts'
import { isMachineToken } from './machine-token.ts'
import { isCurrentToken, isOperatorToken, wrongOperatorToken } from './operator-token.ts'
import type { SignInLimit } from './sign-in-limit.ts'

/** A call of the console, whose body is the input itself. */
export interface ParsedCall extends Call {
  parsed: { data: Record<string, unknown> }
}

declare module 'fastify' {
  interface FastifyRequest {
    consoleSession?: Awaited<ReturnType<typeof findSession>>
  }
}

/** Reads requests to the console: who calls, and the call itself. */
export class ConsoleRequests {
  readonly #options: ConsoleOptions
  readonly #limit: SignInLimit
  readonly #cookieRule: ReturnType<typeof createCookieRule>

  constructor(options: ConsoleOptions, limit: SignInLimit) {
    this.#options = options
    this.#limit = limit
    this.#cookieRule = createCookieRule(options.services.config.trustProxy)
  }

  /**
   * Finds the session of a request, from its token or from its cookie; none if neither holds one. PERMISSION_DENIED for
   * a wrong token, and without one for a request that does not come from the console's own page.
   */
  async enter(request: HttpRequest, reply: HttpReply): Promise<void> {
    const token = machineTokenOf(request)
    if (token !== undefined) return this.#enterByToken(token, request, reply)
    assertOwnPage(request)
    request.consoleSession = await this.#findSession(request)
  }

  async #findSession(request: HttpRequest): Promise<HttpRequest['consoleSession']> {
    const { database, services } = this.#options
    const cookie = this.cookieOf(request, 'session')
    return cookie === undefined ? undefined : findSession(database.checks, cookie, isCurrentToken(services))
  }

  async #enterByToken(token: string, request: HttpRequest, reply: HttpReply): Promise<void> {
    const { config, secrets, clock } = this.#options.services
    const attempt = { call: this.#emptyCallOf(request, reply), account: '', by: 'operator token' }
    const ofThisMachine = isMachineToken(token, secrets, clock.now())
    await this.#limit.refusals(attempt, () => {
      if (!ofThisMachine && !isOperatorToken(token, config)) throw wrongOperatorToken()
    })
    request.consoleSession = machineSession(clock.now(), ofThisMachine)
  }

  /** The call of a request that has entered. */
  async callOf(request: HttpRequest, reply: HttpReply): Promise<ParsedCall> {
    const body = bodyText(request, this.#options.services.config.bodyLimitValues)
    const data = await parse(body)
    await pauses(body)?.()
    // A body may take a minute to arrive. A session that has ended meanwhile, or has another role, counts as it is now.
    const { consoleSession: before } = request
    if (before && !isMachine(before)) request.consoleSession = await this.#findSession(request)
    return { ...this.#emptyCallOf(request, reply), body, parsed: { data } }
  }

  cookieOf(request: HttpRequest, purpose: 'session' | 'sign-in'): string | undefined {
    return readCookie(request, this.#cookieRule(request), purpose)
  }

  #emptyCallOf(request: HttpRequest, reply: HttpReply): Call {
    return {
      tenant: undefined,
      body: '',
      idempotencyKey: undefined,
      request: {
        id: request.id,
        clientAddress: request.ip,
        credentials: NO_CREDENTIALS,
        console: {
          session: request.consoleSession,
          // Asked only now: a machine, which gets no cookie, may come by plain http.
          setCookie: (purpose, value) =>
            reply.header('set-cookie', cookieHeader(this.#cookieRule(request), purpose, value)),
        },
      },
    }
  }
}

/**
 * The token of a machine. No page of another site can send it. The console's own page sends none; what a proxy adds to
 * its requests does not count.
 */
const machineTokenOf = ({ headers }: HttpRequest): string | undefined =>
  headers['x-precedent-console'] === undefined ? bearerOf(headers) : undefined

/** PERMISSION_DENIED for what a page of another site can send: it cannot set the header without being asked for it. */
function assertOwnPage({ headers }: HttpRequest): void {
  const site = headers['sec-fetch-site']
  const isOwn = site === undefined || site === 'same-origin' || site === 'none'
  if (isOwn && headers['x-precedent-console'] === '1') return
  throw new ApiError('PERMISSION_DENIED', 'Only the console itself may call this: x-precedent-console must be 1.')
}

async function parse(body: string): Promise<Record<string, unknown>> {
  const data = body === '' ? {} : await readJson(body)
  if (isObject(data)) return data
  throw invalidField('', 'the body must be an object')
}
