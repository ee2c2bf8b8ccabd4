import scalar from '@scalar/fastify-api-reference'
import type { Http } from './http.ts'

/**
 * Serves the OpenAPI document at /openapi.json, readable from any origin, and the interactive API reference at /reference;
 * its script comes from this server, nothing from outside.
 */
export function mountReference(app: Http, openapi: () => unknown): void {
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
