import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from './authenticator.ts'

/** The headers of responses that scripts of other origins may read. */
const EXPOSED = 'ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, x-ignored-fields, x-request-id'

/** CORS (Fetch standard §3.3): a browser may read a response only on an origin that the API key lists. */
export async function setCorsHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  authenticator: Authenticator,
): Promise<void> {
  const { origin } = request.headers
  if (typeof origin !== 'string') return
  reply.header('vary', 'Origin')
  const { tenant } = request
  const apiKey = tenant && 'apiKey' in tenant ? tenant.apiKey : undefined
  if (request.method !== 'OPTIONS' && apiKey === undefined) return
  if (!(await authenticator.admitsOrigin(origin, apiKey))) return
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', EXPOSED)
}

/** Responds to a preflight. It carries no credentials, so it is allowed on every origin that any API key lists. */
export async function preflight(
  request: FastifyRequest,
  reply: FastifyReply,
  authenticator: Authenticator,
): Promise<void> {
  await setCorsHeaders(request, reply, authenticator)
  if (reply.hasHeader('access-control-allow-origin')) {
    reply.header('access-control-allow-methods', 'POST')
    reply.header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? 'content-type')
    reply.header('access-control-max-age', '600')
  }
  await reply.code(204).send()
}
