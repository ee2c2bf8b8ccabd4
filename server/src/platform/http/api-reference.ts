import { readFile } from 'node:fs/promises'
import type { Http } from './http.ts'
import { mountAsset } from './static-asset.ts'

/** The viewer's script: beside the built program, or where the build of the source tree puts it. */
const VIEWER = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/reference-viewer.js' : './reference-viewer.js',
  import.meta.url,
)

const HOUR = 3600
const DAY = 24 * HOUR

// The viewer puts its styles into the page. Everything else comes from this server.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

// Buttons and links to the vendor's services that no option hides.
const HIDDEN =
  '.open-api-client-button, .agent-scalar-container, a[href*="scalar.com"], aside button.bg-sidebar-b-search.whitespace-nowrap'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Precedent API</title>
<style>${HIDDEN} { display: none !important }</style>
</head>
<body>
<div id="app"></div>
<script defer src="/reference/start.js"></script>
<script defer src="/reference/viewer.js"></script>
</body>
</html>
`

// For those who follow no redirect.
const SIGNPOST = `Precedent. API reference: /reference. OpenAPI document: /openapi.json. Health: /healthz.
`

const CONFIGURATION = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  // The credentials of most operations, to be entered once.
  authentication: { preferredSecurityScheme: [['apiKey', 'authToken']] },
}

// On a loopback address the viewer asks its vendor for a catalogue. The policy would block that; so it is not even
// tried. The viewer takes `fetch` when it loads, so this runs before it.
const START = `
const fetchAnywhere = window.fetch
window.fetch = (resource, options) => {
  const url = new URL(resource instanceof Request ? resource.url : resource, location.href)
  if (url.origin === location.origin) return fetchAnywhere(resource, options)
  return Promise.reject(new TypeError('The API reference sends requests to its own server only.'))
}
addEventListener('DOMContentLoaded', () => Scalar.createApiReference('#app', ${JSON.stringify(CONFIGURATION)}))
`

/**
 * Serves the OpenAPI document at /openapi.json, to any origin, and the interactive API reference at /reference. All
 * that the page loads comes from this server, and its policy (CSP) admits nothing else. `/` leads there.
 */
export function mountApiReference(app: Http, openapi: () => unknown): void {
  app.get('/', async (_request, reply) => reply.code(302).header('location', '/reference').send(SIGNPOST))
  mountAsset(app, {
    url: '/openapi.json',
    contentType: 'application/json; charset=utf-8',
    maxAge: HOUR,
    headers: { 'access-control-allow-origin': '*' },
    content: () => JSON.stringify(openapi()),
  })
  for (const url of ['/reference', '/reference/']) {
    mountAsset(app, {
      url,
      contentType: 'text/html; charset=utf-8',
      maxAge: HOUR,
      headers: { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' },
      content: () => PAGE,
    })
  }
  const script = { contentType: 'text/javascript; charset=utf-8', maxAge: DAY }
  mountAsset(app, { ...script, url: '/reference/start.js', maxAge: HOUR, content: () => START })
  mountAsset(app, { ...script, url: '/reference/viewer.js', content: () => readFile(VIEWER, 'utf8') })
}
