import type { Services } from '../../platform/context.ts'
import { ApiError, invalidField } from '../../platform/errors.ts'
import { credentialsOf } from '../../platform/http/authenticator.ts'
import { bodyText } from '../../platform/http/body/request-body.ts'
import type { Call } from '../../platform/http/execute.ts'
import { type Http, type HttpReply, type HttpRequest, sendAnswer } from '../../platform/http/http.ts'
import { createCallDoor } from './call-door.ts'
import type { ConsoleOptions } from './console-options.ts'
import { cookieHeader, createCookieRule, readCookie } from './cookie.ts'
import { assertMay, auditOf } from './permit.ts'
import { rightOf } from './right.ts'
import { findSession, sessionOf } from './session.ts'
import { createSignInLimit, SIGN_IN } from './sign-in-limit.ts'

/** The largest body of a sign-in: anybody can send it. */
const SIGN_IN_BYTES = 4096

/** Serves the operations of the console, each behind the fence: the header, the origin, the session, the role. */
export function mountConsole(http: Http, options: ConsoleOptions): void {
  const { services } = options
  const limit = createSignInLimit(options)
  const callDoor = createCallDoor(options)

  const { enter, callOf } = createReader(options)
  for (const operation of options.own.filter(({ declaration }) => rightOf(declaration.path) !== 'nobody')) {
    const { path } = operation.declaration
    const execute = options.executorOf(operation)
    const isSignIn = path === SIGN_IN
    http.post(path, {
      config: { hasCredentials: !isSignIn },
      bodyLimit: isSignIn ? SIGN_IN_BYTES : services.config.bodyLimitBytes,
      onRequest: async (request) => {
        await enter(request)
        if (!isSignIn) assertMay(sessionOf({ session: request.consoleSession }), operation.declaration, services.config)
      },
      handler: async (request, reply) => {
        request.operationName = operation.name
        reply.header('cache-control', 'no-store')
        const data = parse(request, services)
        const call = callOf(request, reply, data)
        if (isSignIn) return sendAnswer(await limit(call, data, () => execute(call)), services, request, reply)
        const record = auditOf(sessionOf({ session: request.consoleSession }), operation.declaration, request.ip)
        return sendAnswer(await execute({ ...call, ...(record && { record }) }), services, request, reply)
      },
    })
  }
  http.post('/console/api/call', {
    config: { hasCredentials: true },
    onRequest: async (request) => {
      await enter(request)
      sessionOf({ session: request.consoleSession })
    },
    handler: async (request, reply) => {
      const session = sessionOf({ session: request.consoleSession })
      const call = callOf(request, reply, {})
      const { operation, answer } = await callDoor(session, parse(request, services), call)
      request.operationName = operation.name
      reply.header('cache-control', 'no-store').code(operation.declaration.successStatus ?? 200)
      return sendAnswer(answer, services, request, reply)
    },
  })
}

/** What a request to the console says: who calls, and the call itself. */
function createReader({ services, database }: ConsoleOptions) {
  const cookieRule = createCookieRule(services.config.trustProxy)
  return {
    async enter(request: HttpRequest): Promise<void> {
      assertOwnPage(request)
      const token = readCookie(request, cookieRule(request))
      request.consoleSession = token === undefined ? undefined : await findSession(database.checks, token)
    },
    callOf: (request: HttpRequest, reply: HttpReply, data: unknown): Call => ({
      tenant: undefined,
      body: JSON.stringify({ data }),
      idempotencyKey: undefined,
      request: {
        id: request.id,
        clientAddress: request.ip,
        credentials: credentialsOf({}, []),
        console: {
          session: request.consoleSession,
          setCookie: (value) => reply.header('set-cookie', cookieHeader(cookieRule(request), value)),
        },
      },
    }),
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    consoleSession?: Awaited<ReturnType<typeof findSession>>
  }
}

/** PERMISSION_DENIED for what a page of another site can send: it cannot set the header without being asked for it. */
function assertOwnPage({ headers }: HttpRequest): void {
  const site = headers['sec-fetch-site']
  const isOwn = site === undefined || site === 'same-origin' || site === 'none'
  if (isOwn && headers['x-precedent-console'] === '1') return
  throw new ApiError('PERMISSION_DENIED', 'Only the console itself may call this: x-precedent-console must be 1.')
}

/** The body, which is the input itself. */
function parse(request: HttpRequest, { config }: Services): Record<string, unknown> {
  const text = bodyText(request, config.bodyLimitValues)
  try {
    const data: unknown = text === '' ? {} : JSON.parse(text)
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Record<string, unknown>
  } catch {
    throw invalidField('', 'the body is not valid JSON')
  }
  throw invalidField('', 'the body must be an object')
}
