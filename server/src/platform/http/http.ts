import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { newRequestId } from '../id.ts'
import { type NamedOperation, pathsOf } from '../operation.ts'
import { networkOf } from '../outbound/address.ts'
import { credentialReader } from './authenticator.ts'
import { inPieces } from './body/chunked-body.ts'
import { createClientAddress } from './client-address.ts'
import { preflight } from './cors.ts'
import { createErrorSender } from './errors/send-error.ts'
import { headersOf, respondToUnreadable } from './errors/unreadable-request.ts'
import { CallRate, limitAddress } from './limits/call-limits.ts'
import { drainConnections, endStalledReader, limitConnections, limitPipelining } from './limits/connections.ts'
import { anonymousBytes, type Mounting, mountOperation } from './mount-operation.ts'
import { mountProbes } from './probes.ts'
import type { RecentRequests } from './recent-requests.ts'
import { record } from './record-request.ts'
import { traceRequests } from './trace-requests.ts'

/** The HTTP server. Other modules use its `listen`, `inject` and `close`. */
export type Http = FastifyInstance
export type HttpRequest = FastifyRequest
export type HttpReply = FastifyReply

interface HttpOptions extends Omit<Mounting, 'credentialsOf'> {
  operations: NamedOperation[]
  recentRequests: RecentRequests
  /** Why the worker of this process counts as stuck; undefined if it does not. */
  standstill: () => Promise<string | undefined>
  /** Whether the terminal shows what a start has to say. */
  isGreeted: () => boolean
}

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
  const drain = drainConnections(app.server)
  app.addHook('preClose', async () => {
    draining = true
    drain()
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
  for (const operation of options.operations) mountOperation(app, operation, shared)
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
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) notFound(options, request, reply).catch(done)
    else done()
  })
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

async function notFound(options: HttpOptions, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const [path = ''] = request.url.split('?', 1)
  const known = options.operations.some((operation) => pathsOf(operation).includes(path))
  if (known && request.method === 'OPTIONS' && request.headers.origin)
    return preflight(request, reply, options.authenticator)
  if (known) {
    reply.header('allow', 'POST')
    throw new ApiError('INVALID_ARGUMENT', 'This operation is called with POST.', { httpStatus: 405 })
  }
  const isWorker = options.services.config.role === 'worker'
  throw new ApiError('NOT_FOUND', isWorker ? ONLY_HEALTH : 'There is no operation at this path.')
}

function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : newRequestId()
}

const ONLY_HEALTH = 'This process is a worker (ROLE=worker): it serves health and metrics only.'
