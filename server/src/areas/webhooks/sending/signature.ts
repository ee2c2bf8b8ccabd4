import { createHmac } from 'node:crypto'

/** What identifies a message to its receiver: the same id on every attempt, the time of this one in seconds. */
export interface SignedMessage {
  id: string
  timestamp: number
  body: string
}

/** The headers of Standard Webhooks: one signature per secret, so that either side of a rotation verifies. */
export function signedHeaders(secrets: string[], message: SignedMessage): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => sign(secret, message)).join(' '),
  }
}

/** One signature, `v1,<base64>`: HMAC-SHA256 of `id.timestamp.body`, keyed by the bytes behind `whsec_`. */
export function sign(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
