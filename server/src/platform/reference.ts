import scalar from '@scalar/fastify-api-reference'
import type { Http } from './http.ts'

/** Serves the interactive API reference at /reference; its script comes from this server, nothing from outside. */
export function mountReference(app: Http): void {
  app.register(scalar, {
    routePrefix: '/reference',
    configuration: { url: '/openapi.json', title: 'Precedent API', withDefaultFonts: false, telemetry: false },
  })
}
