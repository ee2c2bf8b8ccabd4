import { createHmac } from 'node:crypto'

/** What is signed. The id is the same on every attempt; the timestamp is that of this attempt, in seconds. */
export interface SignedMessage {
  id: string
  timestamp: number
  body: string
}

/** The headers of Standard Webhooks, with one signature per secret. So during a rotation both secrets verify. */
export function signedHeaders(secrets: string[], message: SignedMessage): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => sign(secret, message)).join(' '),
  }
}

/** One signature, `v1,<base64>`: HMAC-SHA256 of `id.timestamp.body`. The key is what follows `whsec_`, in base64. */
export function sign(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
