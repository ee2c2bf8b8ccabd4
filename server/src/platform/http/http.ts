import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RequestPayload } from 'fastify'
import type { Config } from '../config.ts'
import type { ApiKeyTenant, Services, WorkspaceTenant } from '../context.ts'
import type { Database } from '../db/db.ts'
import { ApiError } from '../errors.ts'
import type { Subscription } from '../event.ts'
import { newRequestId } from '../id.ts'
import { type NamedOperation, pathsOf, type Stream, takesIdempotencyKey } from '../operation.ts'
import { networkOf } from '../outbound/address.ts'
import type { Audit } from './administration.ts'
import { type Authenticator, type Credentials, credentialReader, NO_CREDENTIALS } from './authenticator.ts'
import { admitBody } from './body/bodies.ts'
import { inPieces } from './body/chunked-body.ts'
import { bodyText } from './body/request-body.ts'
import { createClientAddress } from './client-address.ts'
import { preflight, setCorsHeaders } from './cors.ts'
import { createErrorSender } from './errors/send-error.ts'
import { headersOf, respondToUnreadable } from './errors/unreadable-request.ts'
import { type Call, createExecutor, executeConfirmed, ownerOf, pauses } from './execute.ts'
import { parseIdempotencyKey } from './idempotency.ts'
import { JSON_TYPE } from './json-answer.ts'
import { type Bounds, inShare } from './limits/bounds.ts'
import { CallRate, enforce, type Limited, limitAddress, limitCalls } from './limits/call-limits.ts'
import { endStalledReader, limitConnections, limitPipelining } from './limits/connections.ts'
import type { RateLimiter } from './limits/rate-limit.ts'
import { mountProbes } from './probes.ts'
import type { RecentRequests } from './recent-requests.ts'
import { record } from './record-request.ts'
import { streamOf } from './stream-body.ts'
import { traceRequests } from './trace-requests.ts'

/** The HTTP server. Other modules use its `listen`, `inject` and `close`. */
export type Http = FastifyInstance
export type HttpRequest = FastifyRequest
export type HttpReply = FastifyReply

export interface HttpOptions {
  database: Database
  services: Services
  operations: NamedOperation[]
  subscriptions: Subscription[]
  authenticator: Authenticator
  rateLimiter: (operation: NamedOperation) => RateLimiter | undefined
  wakeWorkers: () => void
  audit: Audit
  recentRequests: RecentRequests
  bounds: Bounds
  /** Why the worker of this process counts as stuck; undefined if it does not. */
  standstill: () => Promise<string | undefined>
}

/** The largest body of a request that takes no credentials in headers: anybody can send it. */
const anonymousBytes = ({ bodyLimitBytes }: Config): number => Math.min(64 * 1024, bodyLimitBytes)

/** The credentials of a request whose body took longer to arrive are judged again. */
const LATE_MS = 1_000

/** Creates the HTTP server with the operations, health and metrics. It does not listen yet. */
export function createHttp(options: HttpOptions): Http {
  const { services } = options
  const { config } = services
  const sendError = createErrorSender(services)
  const app = fastify({
    logger: false,
    bodyLimit: anonymousBytes(config),
    genReqId: (request) => requestId(request.headers['x-request-id']),
    // A request that has arrived is served even while the server shuts down.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    routerOptions: { maxParamLength: 500 },
    // Hooks do not run for a URL that cannot be routed.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headersOf(request.id))
      sendError(error, request, reply)
      record(options, request, reply)
    },
    clientErrorHandler: (error, socket) => respondToUnreadable(services, error, socket),
  })
  app.removeAllContentTypeParsers()
  // Not parsed here: authentication precedes parsing and validation.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.decorateRequest('operationName', '')
  traceRequests(app, services.tracing)
  receive(app, options)
  app.addHook('preParsing', (request, _reply, body, done) => {
    const isChunked = request.headers['transfer-encoding'] !== undefined
    done(null, isChunked ? inPieces(request.raw, request.routeOptions.bodyLimit) : body)
  })
  // Without it, a connection kept alive by its last response would delay the shutdown until it times out.
  let draining = false
  app.addHook('preClose', async () => {
    draining = true
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    endStalledReader(reply.raw)
    if (draining) reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', async (request, reply) => record(options, request, reply))
  app.addHook('onClose', () => options.recentRequests.flush())
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = await refusalOf(request)
    return sendError(refusal ?? error, request, reply)
  })
  app.setNotFoundHandler(async (request, reply) => notFound(options, request, reply))
  const shared = {
    ...options,
    credentialsOf: credentialReader(config.headerAliases),
  }
  for (const operation of options.operations) mount(app, operation, shared)
  limitPipelining(app.server)
  limitConnections(app.server, { total: config.connections, perAddress: config.connectionsPerAddress })
  mountProbes(app, options, () => draining)
  return app
}

/**
 * What happens first with each request: its address is found and limited, and its response gets headers. One that leads
 * nowhere is refused then, without its body.
 */
function receive(app: FastifyInstance, options: HttpOptions): void {
  const { config } = options.services
  const clientAddress = createClientAddress(config.trustProxy)
  const addresses = new CallRate(config.rateLimitAddress)
  app.addHook('onRequest', (request, reply, done) => {
    const forwardedFor = request.headers['x-forwarded-for']?.toString()
    // Fastify's own rule takes an entry with a port, or one that is no address, for the client's address.
    if (forwardedFor) Object.defineProperty(request, 'ip', { value: clientAddress(request.ip, forwardedFor) })
    reply.headers(headersOf(request.id))
    limitAddress(addresses, () => networkOf(request.ip), request.routeOptions.config, reply)
    done()
  })
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    await notFound(options, request, reply)
    return reply
  })
}

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

/** What all operations share. */
interface Shared extends HttpOptions {
  credentialsOf: (headers: FastifyRequest['headers']) => Credentials
}

function mount(app: FastifyInstance, operation: NamedOperation, options: Shared): void {
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
 * Whether calls may be executed as the presumed tenant while their credentials are checked, because all that they do can
 * wait for the check before it shows or stays. What a stream sends and what `prepare` writes cannot. A write holds its
 * transaction meanwhile: if the check might have to wait for that one, neither would ever end.
 */
function isPresumable({ declaration }: NamedOperation, { checksAlways }: Database): boolean {
  const { access, auth, stream, administers, prepare } = declaration
  return auth === 'apiKey' && !stream && !administers && !prepare && (access === 'read' || checksAlways)
}

/** Sends what an operation answers, as text or while it is made. */
export function sendAnswer(answer: string | Stream, services: Services, request: FastifyRequest, reply: FastifyReply) {
  if (typeof answer === 'string') return reply.header('content-type', JSON_TYPE).send(answer)
  return reply.header('content-type', answer.contentType).send(streamOf(answer, services, request))
}

/** How large the body of a request is. */
export const bodyBytesOf = ({ body }: FastifyRequest): number => (Buffer.isBuffer(body) ? body.length : 0)

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

/** Whose share of the process a request takes. */
const callerOf = ({ tenant }: FastifyRequest): string => (tenant ? ownerOf(tenant) : '')

async function authenticate(operation: NamedOperation, credentials: Credentials, { authenticator }: HttpOptions) {
  const { auth } = operation.declaration
  return auth === 'none' ? undefined : authenticator[auth](credentials)
}

/** Why a caller with presumed credentials is refused. It takes precedence over any other error of the call. */
async function refusalOf(request: FastifyRequest): Promise<unknown> {
  try {
    await request.confirmation
    return undefined
  } catch (refusal) {
    request.tenant = undefined
    return refusal
  }
}

async function limit(operation: NamedOperation, limiter: RateLimiter, request: FastifyRequest, reply: FastifyReply) {
  const rule = operation.declaration.rateLimit
  if (!rule) return
  const subject = rule.by === 'clientAddress' ? networkOf(request.ip) : request.tenant?.workspaceId
  enforce(await limiter.consume(subject ?? ''), rule.message, reply)
}

async function notFound(options: HttpOptions, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const [path = ''] = request.url.split('?', 1)
  const known = options.operations.some((operation) => pathsOf(operation).includes(path))
  if (known && request.method === 'OPTIONS' && request.headers.origin)
    return preflight(request, reply, options.authenticator)
  if (known) {
    reply.header('allow', 'POST')
    throw new ApiError('INVALID_ARGUMENT', 'This operation is called with POST.', { httpStatus: 405 })
  }
  throw new ApiError('NOT_FOUND', 'There is no operation at this path.')
}

function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : newRequestId()
}
