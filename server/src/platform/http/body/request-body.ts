import { ApiError, invalidField } from '../../errors.ts'
import { scanJson } from './scan-json.ts'

interface BodyOfRequest {
  headers: { 'content-type'?: string | undefined; 'content-encoding'?: string | undefined }
  /** As received; undefined where nothing was sent. */
  body?: unknown
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * The text of a request body, empty where there is none. INVALID_ARGUMENT for another content type or a compressed body
 * (415), for bytes that are not UTF-8, and for text that nests too deep or holds more than `maxValues` values.
 */
export function bodyText({ headers, body }: BodyOfRequest, maxValues: number): string {
  if (!Buffer.isBuffer(body) || body.length === 0) return ''
  if (!isJson(headers['content-type'] ?? '')) {
    throw new ApiError('INVALID_ARGUMENT', 'The content type must be application/json in UTF-8.', { httpStatus: 415 })
  }
  scanJson(body, maxValues)
  try {
    return decoder.decode(body)
  } catch {
    if (headers['content-encoding'] === undefined) throw invalidField('', 'the body is not valid UTF-8')
    const message = 'The body must not be compressed: send it without Content-Encoding.'
    throw new ApiError('INVALID_ARGUMENT', message, { httpStatus: 415 })
  }
}

/** Whether a content type is that of JSON in UTF-8 (RFC 8259 §8.1, §11), with or without the character set. */
function isJson(contentType: string): boolean {
  if (contentType === 'application/json') return true
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='))
  return type.trim() === 'application/json' && (!charset || /^charset="?utf-8"?$/.test(charset))
}
