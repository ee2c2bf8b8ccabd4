import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../context.ts'
import type { ApiError } from '../../errors.ts'
import { seldom } from '../../seldom.ts'
import { dropRest } from '../body/bodies.ts'
import { JSON_TYPE } from '../json-answer.ts'
import { bodyTooLarge } from './body-too-large.ts'
import { toApiError } from './to-api-error.ts'

/**
 * Returns a function that answers a request with an error, and logs what went wrong on this side. While the database
 * cannot be reached each request fails alike: of these the first is logged, and then once a minute how many there were.
 * Each still has its line among the requests.
 */
export function createErrorSender({ log }: Pick<Services, 'log'>) {
  const tellUnavailable = seldom((err, failures, about) => log.error({ ...about, err, failures }, UNAVAILABLE))

  function tell(error: ApiError, thrown: unknown, request: FastifyRequest): void {
    if (error.httpStatus < 500) return
    const about = { requestId: request.id, operation: request.operationName }
    if (error.status !== 'UNAVAILABLE') log.error({ ...about, err: error.cause ?? thrown }, error.message)
    else if (error.cause) tellUnavailable(error.cause, about)
    // A refusal that asks the caller to try again is not an error of the service.
    else log.info(about, error.message)
  }

  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const error = isTooLarge(thrown) ? bodyTooLarge(request.routeOptions.bodyLimit, thrown) : toApiError(thrown)
    request.failure = error
    tell(error, thrown, request)
    if (['UNAVAILABLE', 'RESOURCE_EXHAUSTED'].includes(error.status) && !reply.hasHeader('retry-after')) {
      reply.header('retry-after', '1')
    }
    // The caller is still sending. If the connection closed at once, it would not read the response (RFC 9112 §9.6).
    if (error.httpStatus === 413) reply.removeHeader('connection')
    if (!request.raw.complete) dropRest(request.raw)
    return reply.code(error.httpStatus).header('content-type', JSON_TYPE).send(JSON.stringify(error.body))
  }
}

// Fastify refuses a body by its length; a chunked one is counted.
const isTooLarge = (thrown: unknown) => (thrown as { code?: string } | undefined)?.code === 'FST_ERR_CTP_BODY_TOO_LARGE'

const UNAVAILABLE = 'requests fail: the database does not answer, takes no writes, or lacks disk or memory'
