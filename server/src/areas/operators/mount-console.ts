import { ApiError, invalidField } from '../../platform/errors.ts'
import { bearerOf, NO_CREDENTIALS } from '../../platform/http/authenticator.ts'
import { bodyText } from '../../platform/http/body/request-body.ts'
import { type Call, pauses, readJson } from '../../platform/http/execute.ts'
import { type Http, type HttpReply, type HttpRequest, sendAnswer } from '../../platform/http/http.ts'
import { isObject } from '../../platform/json-value.ts'
import { assertMay, callerOf } from './access/permit.ts'
import { rightOf } from './access/right.ts'
import { findSession, machineSession, sessionOf } from './access/session.ts'
import { createCallDoor, type ParsedCall } from './call-door.ts'
import type { ConsoleOptions } from './fence/console-options.ts'
import { cookieHeader, createCookieRule, readCookie } from './fence/cookie.ts'
import { isMachineToken } from './fence/machine-token.ts'
import { matchPassword } from './fence/match-password.ts'
import { isCurrentToken, isOperatorToken, wrongOperatorToken } from './fence/operator-token.ts'
import { proofOf } from './fence/proof.ts'
import { type Attempt, createSignInLimit, type SignInLimit } from './fence/sign-in-limit.ts'
import { createIdentify } from './oidc/identify.ts'

/** The largest body of a sign-in: anybody can send it. */
const SIGN_IN_BYTES = 16 * 1024

/** Serves the operations of the console, each behind the fence: the header, the origin, the session, the role. */
export function mountConsole(http: Http, options: ConsoleOptions): void {
  const { services } = options
  const limit = createSignInLimit(options)
  const callDoor = createCallDoor(options)
  const { enter, callOf, cookieOf } = createReader(options, limit)
  const prove = createProving(options, cookieOf)
  for (const operation of options.own) {
    const { declaration } = operation
    const right = rightOf(declaration.path)
    if (right === 'nobody') continue
    const execute = options.executorOf(operation)
    const isOpen = right === 'anybody'
    http.post(declaration.path, {
      config: { hasCredentials: !isOpen },
      bodyLimit: isOpen ? SIGN_IN_BYTES : services.config.bodyLimitBytes,
      onRequest: async (request, reply) => {
        await enter(request, reply)
        if (!isOpen) assertMay(sessionOf(request.consoleSession), declaration, services.config)
      },
      handler: async (request, reply) => {
        request.operationName = operation.name
        reply.header('cache-control', 'no-store')
        const call = await callOf(request, reply)
        const { data } = call.parsed
        const { consoleSession: session } = request
        const caller = isOpen ? undefined : callerOf(sessionOf(session), declaration)
        const run = () => execute({ ...call, ...(caller && { caller }) })
        const proof = proofOf(declaration.path, data, session)
        const attempt = proof && { call, ...proof }
        const answer = await (attempt ? limit.attempt(attempt, () => prove(request, attempt, data).then(run)) : run())
        return sendAnswer(answer, services, request, reply)
      },
    })
  }
  http.post('/console/api/call', {
    config: { hasCredentials: true },
    onRequest: async (request, reply) => {
      await enter(request, reply)
      sessionOf(request.consoleSession)
    },
    handler: async (request, reply) => {
      const session = sessionOf(request.consoleSession)
      const call = await callOf(request, reply)
      const { operation, answer } = await callDoor(session, call)
      request.operationName = operation.name
      reply.header('cache-control', 'no-store').code(operation.declaration.successStatus ?? 200)
      return sendAnswer(answer, services, request, reply)
    },
  })
}

/** Returns what puts into a call what takes long to prove: who came back from the issuer, or that a password fits. */
function createProving({ database, services }: ConsoleOptions, cookieOf: Reader['cookieOf']) {
  const identify = createIdentify(database, services)
  return async (request: HttpRequest, attempt: Attempt, data: Record<string, unknown>): Promise<void> => {
    const { console } = attempt.call.request
    if (!console) return
    if (attempt.by === 'password') {
      console.passwordHash = await matchPassword(database.checks, services.config, data)
    } else if (attempt.by === 'oidc') {
      console.identity = await identify(data.answer, cookieOf(request, 'sign-in'))
      attempt.account = console.identity.email
    }
  }
}

type Reader = ReturnType<typeof createReader>

/** What a request to the console says: who calls, and the call itself. */
function createReader({ services, database }: ConsoleOptions, limit: SignInLimit) {
  const { config, clock } = services
  const cookieRule = createCookieRule(config.trustProxy)
  const isCurrent = isCurrentToken(services)
  const emptyCallOf = (request: HttpRequest, reply: HttpReply): Call => ({
    tenant: undefined,
    body: '',
    idempotencyKey: undefined,
    request: {
      id: request.id,
      clientAddress: request.ip,
      credentials: NO_CREDENTIALS,
      console: {
        session: request.consoleSession,
        setCookie: (purpose, value) => reply.header('set-cookie', cookieHeader(cookieRule(request), purpose, value)),
      },
    },
  })
  const callOf = async (request: HttpRequest, reply: HttpReply): Promise<ParsedCall> => {
    const body = bodyText(request, config.bodyLimitValues)
    const data = await parse(body)
    await pauses(body)?.()
    return { ...emptyCallOf(request, reply), body, parsed: { data } }
  }
  const cookieOf = (request: HttpRequest, purpose: 'session' | 'sign-in') =>
    readCookie(request, cookieRule(request), purpose)
  return {
    callOf,
    cookieOf,
    async enter(request: HttpRequest, reply: HttpReply): Promise<void> {
      const token = machineTokenOf(request)
      if (token !== undefined) {
        const attempt = { call: emptyCallOf(request, reply), account: '', by: 'operator token' }
        const ofThisMachine = isMachineToken(token, services.secrets, clock.now())
        await limit.refusals(attempt, () => {
          if (!ofThisMachine && !isOperatorToken(token, config)) throw wrongOperatorToken()
        })
        request.consoleSession = machineSession(clock.now(), ofThisMachine)
        return
      }
      assertOwnPage(request)
      const cookie = cookieOf(request, 'session')
      request.consoleSession = cookie === undefined ? undefined : await findSession(database.checks, cookie, isCurrent)
    },
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    consoleSession?: Awaited<ReturnType<typeof findSession>>
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

/** The body, which is the input itself. */
async function parse(body: string): Promise<Record<string, unknown>> {
  const data = body === '' ? {} : await readJson(body)
  if (isObject(data)) return data
  throw invalidField('', 'the body must be an object')
}
