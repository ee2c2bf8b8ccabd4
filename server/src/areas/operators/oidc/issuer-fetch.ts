import type { CustomFetch } from 'openid-client'
import { type Outbound, OutboundError } from '../../../platform/outbound/outbound.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024

/**
 * Lets openid-client send its requests through the door for outbound requests. No redirect is followed. An answer of
 * 500 or above counts as none.
 */
export const issuerFetch =
  (outbound: Outbound): CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await outbound.request({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body && { body: String(body) }),
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
    })
    const { status } = answer
    if (status >= 500)
      throw new OutboundError('unreachable', `The issuer answers ${status}.`, answer.durationMs, undefined)
    // No body may stand in these.
    const isEmpty = [204, 205, 304].includes(status)
    return new Response(isEmpty ? null : new Uint8Array(answer.body), { status, headers: headersOf(answer.headers) })
  }

/** Whether the issuer could not be reached, in which case nobody is to blame but the network. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof OutboundError || (error instanceof Error && error.cause instanceof OutboundError)

function headersOf(received: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, value = ''] of Object.entries(received)) {
    for (const each of [value].flat()) headers.append(name, each)
  }
  return headers
}
