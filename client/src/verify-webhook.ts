import { isHmac } from './hmac.ts'
import type { WebhookEvent } from './webhook-event.ts'

/** The request is not one of the service, or not a recent one. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
}

/** The headers of a request: a `Headers`, or an object such as Node's `request.headers`. */
export type WebhookHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>

export interface VerifyWebhookOptions {
  /** How many seconds the timestamp may differ from the clock of this machine; default 300. */
  toleranceSeconds?: number | undefined
}

/**
 * Verifies a request of an advanced webhook endpoint (Standard Webhooks) and returns its event. Give the body exactly
 * as it was received. Name the type of the body if the endpoint encodes or encrypts it.
 *
 * Rejects with a WebhookVerificationError if no signature fits or the timestamp is too far off. Rejects with a
 * TypeError if the secret is malformed, or the body is what a parser made of it.
 */
export async function verifyWebhook<Body = WebhookEvent>(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300 }: VerifyWebhookOptions = {},
): Promise<Body> {
  if (typeof body !== 'string' && !ArrayBuffer.isView(body)) {
    throw new TypeError('The body must be the text or the bytes as received. Verify before anything parses it.')
  }
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature').split(' ')
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds) {
    throw new WebhookVerificationError(`The header webhook-timestamp is not within ${toleranceSeconds} seconds of now.`)
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  if (!(await isSigned(signatures, signed, keyOf(secret)))) {
    throw new WebhookVerificationError('No signature in the header webhook-signature fits the body.')
  }
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** True if any of them fits: during a rotation the service signs with both secrets. */
async function isSigned(
  signatures: string[],
  signed: Uint8Array<ArrayBuffer>,
  key: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const signature of signatures) {
    const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined
    if (bytes && (await isHmac(bytes, signed, key))) return true
  }
  return false
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(String(secret).replace(/^whsec_/, ''))
  if (!key?.length) throw new TypeError('The secret must be whsec_ and base64, as endpoints/secret/get returns it.')
  return key
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const [only, ...more] = [value ?? []].flat()
  if (!only || more.length > 0) throw new WebhookVerificationError(`The header ${name} is missing or repeated.`)
  return only
}

const isHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function'

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function concatenate(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
