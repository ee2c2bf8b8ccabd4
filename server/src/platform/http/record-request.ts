import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../context.ts'
import type { RecentRequests } from './recent-requests.ts'

interface Recorders {
  services: Services
  recentRequests: RecentRequests
}

/** Counts, logs and notes an answered request. */
export function record({ services, recentRequests }: Recorders, request: FastifyRequest, reply: FastifyReply): void {
  const { log, metrics, clock } = services
  const operation = request.operationName || request.routeOptions.url || 'unknown'
  const durationMs = Math.round(reply.elapsedTime * 100) / 100
  metrics.httpRequests.inc({ operation, status: reply.statusCode })
  metrics.httpDuration.observe({ operation }, durationMs / 1000)
  const { tenant, failure } = request
  if (tenant && 'apiKey' in tenant) {
    recentRequests.note({
      apiKey: tenant.apiKey,
      at: clock.now(),
      operation: request.routeOptions.url ?? operation,
      status: reply.statusCode,
      durationMs,
      requestId: request.id,
      errorStatus: failure?.status ?? null,
      message: failure?.message ?? null,
    })
  }
  log.info(
    {
      requestId: request.id,
      operation,
      method: request.method,
      status: reply.statusCode,
      durationMs,
      ...(tenant && { workspaceId: tenant.workspaceId }),
      ...(request.traceId && { traceId: request.traceId }),
    },
    'request',
  )
}
