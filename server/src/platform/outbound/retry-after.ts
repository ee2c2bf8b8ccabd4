import type { OutboundResponse } from './outbound.ts'

/**
 * `Retry-After` in milliseconds from `now` on, of seconds or an HTTP date (RFC 9110 §10.2.3); 0 if it is missing or
 * invalid. Of several headers the first counts.
 */
export function retryAfterMs(header: OutboundResponse['headers'][string], now: number): number {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
