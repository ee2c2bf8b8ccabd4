import { AsyncResource } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import { type Tracing, UNTRACED } from '../tracing/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Continues in the span of the request. */
    inSpan?: (next: () => void) => void
    traceId?: string
  }
}

/** Runs each request to an operation in a span, from its arrival to the end of the answer. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  if (tracing === UNTRACED) return
  app.addHook('onRequest', (request, reply, done) => {
    const { url, config } = request.routeOptions
    if (url === undefined || config.hasCredentials === undefined) return done()
    const { traceparent } = request.headers
    const attributes = {
      'http.request.method': request.method,
      'http.route': url,
      'precedent.request_id': request.id,
    }
    const parent = typeof traceparent === 'string' ? traceparent : null
    void tracing.span(`${request.method} ${url}`, { kind: 'server', attributes, parent }, (span) => {
      request.traceId = tracing.current()?.split('-')[1] ?? ''
      request.inSpan = AsyncResource.bind((next) => next())
      return new Promise<void>((resolve) => {
        reply.raw.once('close', () => {
          const { tenant } = request
          span.set({
            'http.response.status_code': reply.statusCode,
            ...(tenant && { 'precedent.workspace_id': tenant.workspaceId }),
          })
          if (reply.statusCode >= 500) span.fail(String(reply.statusCode))
          resolve()
        })
        done()
      })
    })
  })
  // A body arrives as events of its socket, which know nothing of the request.
  app.addHook('preHandler', (request, _reply, done) => (request.inSpan ? request.inSpan(done) : done()))
}
