import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Http } from './http.ts'
import { mountAsset } from './static-asset.ts'

/** The built console: beside the built program, or where the build of the source tree puts it. */
const FOLDER = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/console/' : './console/', import.meta.url)

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

const YEAR = 365 * 24 * 3600
const HTML = 'text/html; charset=utf-8'
const NOT_BUILT =
  '<!doctype html><title>Precedent</title><p>The console is not built. Run <code>npm run build</code>.</p>'

/**
 * Serves the console at /console/. Its pages have addresses of one step, such as /console/deliveries, which all get its
 * one document. A browser at a longer address, such as /console/deliveries/, is led to the page of its first step. The
 * names of the other files hold hashes of their contents, so browsers keep them.
 */
export function mountConsoleFiles(http: Http): void {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER) : []
  for (const name of names) {
    const contentType = TYPES[extname(name)]
    if (contentType === undefined) continue
    const content = () => readFile(new URL(name, FOLDER), 'utf8')
    mountAsset(http, { url: `/console/${name}`, contentType, maxAge: YEAR, content })
  }
  const isBuilt = names.includes('index.html')
  const page = isBuilt ? readFileSync(new URL('index.html', FOLDER), 'utf8') : NOT_BUILT
  // Relative, so that it holds below the path of a proxy too.
  http.get('/console', (_request, reply) => reply.redirect('console/', 308))
  for (const url of ['/console/', '/console/:page']) {
    http.get(url, (request, reply) => {
      const { page: name = '' } = request.params as { page?: string }
      if (name.includes('.')) return reply.callNotFound()
      return reply
        .code(isBuilt ? 200 : 404)
        .headers({
          'content-security-policy': POLICY,
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-cache',
        })
        .type(HTML)
        .send(page)
    })
  }
  http.get('/console/*', (request, reply) => {
    const isBrowser = request.headers.accept?.includes('text/html') === true
    const [path = '', ...query] = request.url.split('?')
    const [page = '', ...more] = path.split('/').slice(2)
    if (!isBrowser || page === 'api' || page.includes('.')) return reply.callNotFound()
    // The document names its files from where it lies, so it can have no longer address itself.
    return reply.redirect([`${'../'.repeat(more.length)}${page}`, ...query].join('?'), 307)
  })
}
