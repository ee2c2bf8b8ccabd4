import scalar from '@scalar/fastify-api-reference'
import type { Http } from './http.ts'

/**
 * Serves the OpenAPI document at /openapi.json, to any origin, and the interactive API reference at /reference. Its
 * script comes from this server.
 */
export function mountApiReference(app: Http, openapi: () => unknown): void {
  app.get('/openapi.json', async (_request, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('access-control-allow-origin', '*')
      .send(JSON.stringify(openapi())),
  )
  app.register(scalar, {
    routePrefix: '/reference',
    configuration: { url: '/openapi.json', title: 'Precedent API', withDefaultFonts: false, telemetry: false },
  })
}
