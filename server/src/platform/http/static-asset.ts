import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Http } from './http.ts'

const compress = promisify(gzip)

interface Asset {
  url: string
  contentType: string
  /** How long a browser may keep it without asking, in seconds. */
  maxAge: number
  headers?: Record<string, string>
  /** Made at the first request. */
  content: () => string | Promise<string>
}

interface Prepared {
  plain: Buffer
  gzipped: Buffer
  etag: string
}

/** Serves a text that does not change while the process runs: compressed where the caller can, and cacheable. */
export function mountAsset(app: Http, { url, contentType, maxAge, headers = {}, content }: Asset): void {
  let prepared: Promise<Prepared> | undefined
  app.get(url, async (request, reply) => {
    prepared ??= prepare(content)
    const { plain, gzipped, etag } = await prepared
    reply.headers({
      ...headers,
      'content-type': contentType,
      'cache-control': `public, max-age=${maxAge}`,
      vary: 'Accept-Encoding',
      etag,
    })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(request.headers['accept-encoding'] ?? ''))
    return takesGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(plain)
  })
}

async function prepare(content: Asset['content']): Promise<Prepared> {
  const plain = Buffer.from(await content())
  // Weak: the same text is sent in two encodings.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { plain, gzipped: await compress(plain), etag }
}
