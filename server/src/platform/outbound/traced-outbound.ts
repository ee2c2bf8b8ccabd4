import { type Tracing, UNTRACED } from '../tracing/tracing.ts'
import type { Outbound } from './outbound.ts'

/**
 * Outbound requests with a span for each that belongs to a trace. They carry its `traceparent`. The span names the host
 * alone: a customer may have put a secret into the path.
 */
export function tracedOutbound(outbound: Outbound, tracing: Tracing): Outbound {
  if (tracing === UNTRACED) return outbound
  return {
    assertUrl: (url, field) => outbound.assertUrl(url, field),
    close: () => outbound.close(),
    request: (request) => {
      if (tracing.current() === null) return outbound.request(request)
      const { hostname, port, protocol } = new URL(request.url)
      const attributes = {
        'http.request.method': request.method,
        'server.address': hostname,
        'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      }
      return tracing.span(request.method, { kind: 'client', attributes }, async (span) => {
        const headers = { ...request.headers, traceparent: tracing.current() ?? '' }
        const response = await outbound.request({ ...request, headers })
        span.set({ 'http.response.status_code': response.status })
        if (response.status >= 400) span.fail(String(response.status))
        return response
      })
    },
  }
}
