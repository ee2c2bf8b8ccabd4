import type { Socket } from 'node:net'
import type { Services } from '../../context.ts'
import { newRequestId } from '../../id.ts'
import { JSON_TYPE } from '../json-answer.ts'
import { toApiError } from './to-api-error.ts'

/** The headers of every response. */
export const headersOf = (requestId: string) => ({
  'x-request-id': requestId,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
})

/** Responds to bytes that are no HTTP request, and closes the connection. */
export function respondToUnreadable(
  { log, metrics }: Services,
  failure: Error & { code?: string },
  socket: Socket,
): void {
  const { code = '' } = failure
  // Any other code than these of the parser and of timeouts means that the connection is lost.
  if (!/^(HPE|ERR_HTTP)_/.test(code) || !socket.writable) {
    socket.destroy()
    return
  }
  const error = toApiError(Object.assign(failure, { statusCode: 400 }))
  const body = JSON.stringify(error.body)
  const requestId = newRequestId()
  const headers = { ...headersOf(requestId), 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${error.httpStatus} \r\n${lines.join('')}connection: close\r\n\r\n${body}`)
  socket.destroySoon()
  metrics.httpRequests.inc({ operation: 'unknown', status: error.httpStatus })
  log.info({ requestId, operation: 'unknown', status: error.httpStatus, code }, 'request')
}
