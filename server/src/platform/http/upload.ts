import { ApiError } from '../errors.ts'
import type { Http } from './http.ts'

export type { Http, HttpReply } from './http.ts'

/** A file that arrives, and is read as fast as it is taken. */
export interface Upload {
  query: unknown
  /** In lower case and without parameters. */
  contentType: string
  contentLength: number | undefined
  body: AsyncIterable<Uint8Array>
  /** Destroyed once the sender has left. */
  reader: { readonly destroyed: boolean }
}

/** Serves PUT of files at a path. The receiver limits what it takes; what it returns is sent as JSON. */
export function mountUpload(http: Http, path: string, receive: (upload: Upload) => Promise<object>): void {
  http.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
    scope.put(path, { bodyLimit: Number.MAX_SAFE_INTEGER }, async (request, reply) => {
      const { 'content-type': type = '', 'content-length': length } = request.headers
      return receive({
        query: request.query,
        contentType: type.split(';', 1)[0]?.trim().toLowerCase() ?? '',
        contentLength: length === undefined ? undefined : Number(length),
        body: arriving((request.body ?? []) as AsyncIterable<Uint8Array>),
        reader: reply.raw,
      })
    })
    done()
  })
}

/** The bytes as they arrive. A sender who leaves before the end is no error of this side: INVALID_ARGUMENT. */
async function* arriving(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    const hasLeft = (cause as { code?: string }).code === 'ECONNRESET'
    throw hasLeft ? new ApiError('INVALID_ARGUMENT', 'The sender left before the end of the file.', { cause }) : cause
  }
}
