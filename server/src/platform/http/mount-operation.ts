import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import type { Config } from '../config.ts'
import type { ApiKeyTenant, Services, WorkspaceTenant } from '../context.ts'
import type { Database } from '../db/db.ts'
import type { ApiError } from '../errors.ts'
import { type NamedOperation, pathsOf, takesIdempotencyKey } from '../operation.ts'
import { networkOf } from '../outbound/address.ts'
import { type Authenticator, type Credentials, NO_CREDENTIALS } from './authenticator.ts'
import { admitBody } from './body/bodies.ts'
import { pauses } from './body/read-input.ts'
import { bodyText } from './body/request-body.ts'
import { setCorsHeaders } from './cors.ts'
import { type Call, createExecutor, type Dependencies, executeConfirmed, ownerOf } from './execute.ts'
import { parseIdempotencyKey } from './idempotency.ts'
import { type Bounds, inShare } from './limits/bounds.ts'
import { enforce, type Limited, limitCalls } from './limits/call-limits.ts'
import type { RateLimiter } from './limits/rate-limit.ts'
import { sendAnswer } from './send-answer.ts'

declare module 'fastify' {
  interface FastifyContextConfig extends Limited {}
  interface FastifyRequest {
    operationName: string
    tenant?: ApiKeyTenant | WorkspaceTenant | undefined
    /** Why the request was refused. */
    failure?: ApiError
    /** When its credentials were judged, or presumed to be valid. */
    admittedAt?: number
    /** Set where `tenant` is only presumed: the tenant that its credentials are for. The response must wait for it. */
    confirmation?: Promise<ApiKeyTenant | WorkspaceTenant | undefined>
    /** Set for a request to an operation. */
    credentials?: Credentials
  }
}

/** What all operations are mounted with. */
export interface Mounting extends Dependencies {
  authenticator: Authenticator
  rateLimiter: (operation: NamedOperation) => RateLimiter | undefined
  bounds: Bounds
  credentialsOf: (headers: FastifyRequest['headers']) => Credentials
}

/** The largest body of a request that takes no credentials in headers: anybody can send it. */
export const anonymousBytes = ({ bodyLimitBytes }: Config): number => Math.min(64 * 1024, bodyLimitBytes)

/** The credentials of a request whose body took longer to arrive are judged again. */
const LATE_MS = 1_000

/** Serves an operation at its paths: authentication, limits, and the call in its turn. */
export function mountOperation(app: FastifyInstance, operation: NamedOperation, options: Mounting): void {
  const { declaration, name } = operation
  const { services, bounds, credentialsOf } = options
  const execute = createExecutor(operation, options)
  const limiter = options.rateLimiter(operation)
  const mayPresume = !limiter && isPresumable(operation, options.database)
  const { config } = services
  const maxBytes = declaration.auth === 'none' ? anonymousBytes(config) : config.bodyLimitBytes
  const callOf = callReader(operation, services)
  const run = async (request: FastifyRequest) => {
    const call = await callOf(request)
    return { call, answer: await executeConfirmed(execute, call) }
  }
  const route = {
    config: { hasCredentials: declaration.auth !== 'none' },
    bodyLimit: maxBytes,
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      request.operationName = name
      const credentials = credentialsOf(request.headers)
      request.credentials = credentials
      const authenticated = authenticate(operation, credentials, options)
      const presumed = mayPresume && !request.headers.origin && options.authenticator.presumedTenant(credentials)
      if (presumed) {
        // Whoever waits for it gets the error.
        authenticated.catch(() => {})
        request.tenant = presumed
        request.confirmation = authenticated
        limitCalls(bounds, callerOf(request), reply)
        return
      }
      request.tenant = await authenticated
      await setCorsHeaders(request, reply, options.authenticator)
      if (request.tenant) limitCalls(bounds, callerOf(request), reply)
      if (limiter) await limit(operation, limiter, request, reply)
      declaration.gate?.(credentials, config)
    },
    preParsing: async (request: FastifyRequest, reply: FastifyReply, body: RequestPayload) => {
      request.admittedAt = performance.now()
      await admitBody(bounds.arriving, request, reply.raw, { key: callerOf(request), maxBytes })
      return body
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      // Its credentials were judged when it began. They may have been revoked while its body arrived.
      if (performance.now() - (request.admittedAt ?? 0) > LATE_MS) {
        request.confirmation = authenticate(operation, credentialsOf(request.headers), options)
        request.tenant = await request.confirmation
      }
      const share = { key: callerOf(request), reader: reply.raw, bodyBytes: bodyBytesOf(request) }
      const { call, answer } = await inShare(bounds, operation, share, () => run(request))
      if (call.ignoredFields) reply.header('x-ignored-fields', call.ignoredFields)
      reply.code(declaration.successStatus ?? 200)
      return sendAnswer(answer, services, request, reply)
    },
  }
  for (const path of pathsOf(operation)) app.post(path, route)
}

/**
 * Whether calls may be executed as the presumed tenant while their credentials are checked, because all that they do
 * can wait for the check before it shows or stays. What a stream sends and what `prepare` writes cannot. A write holds
 * its transaction meanwhile: if the check might have to wait for that one, neither would ever end.
 */
function isPresumable({ declaration }: NamedOperation, { checksAlways }: Database): boolean {
  const { access, auth, stream, administers, prepare } = declaration
  return auth === 'apiKey' && !stream && !administers && !prepare && (access === 'read' || checksAlways)
}

/** Returns a function that reads the call out of a request. */
function callReader({ declaration }: NamedOperation, { config }: Services) {
  const isIdempotent = takesIdempotencyKey(declaration)
  return async (request: FastifyRequest): Promise<Call> => {
    const pause = Buffer.isBuffer(request.body) ? pauses(request.body) : undefined
    const body = bodyText(request, config.bodyLimitValues)
    if (pause) await pause()
    return {
      tenant: request.tenant,
      confirmation: request.confirmation,
      body,
      idempotencyKey: isIdempotent ? parseIdempotencyKey(request.headers['idempotency-key']) : undefined,
      request: {
        id: request.id,
        clientAddress: request.ip,
        credentials: request.credentials ?? NO_CREDENTIALS,
      },
    }
  }
}

/** How large the body of a request is. */
export const bodyBytesOf = ({ body }: FastifyRequest): number => (Buffer.isBuffer(body) ? body.length : 0)

/** Whose share of the process a request takes. */
const callerOf = ({ tenant }: FastifyRequest): string => (tenant ? ownerOf(tenant) : '')

async function authenticate(operation: NamedOperation, credentials: Credentials, { authenticator }: Mounting) {
  const { auth } = operation.declaration
  return auth === 'none' ? undefined : authenticator[auth](credentials)
}

async function limit(operation: NamedOperation, limiter: RateLimiter, request: FastifyRequest, reply: FastifyReply) {
  const rule = operation.declaration.rateLimit
  if (!rule) return
  const subject = rule.by === 'clientAddress' ? networkOf(request.ip) : request.tenant?.workspaceId
  enforce(await limiter.consume(subject ?? ''), rule.message, reply)
}
