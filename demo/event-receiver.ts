import { createServer, type IncomingMessage } from 'node:http'
import { Webhook } from 'standardwebhooks'

/** A received event whose signature was verified. */
export interface ReceivedEvent {
  id: string
  event: string
  payload: Record<string, unknown>
}

/** A customer's receiver. It verifies the signature of each request (Standard Webhooks) and keeps the event. */
export interface EventReceiver {
  url: string
  /** The secret is known only after the endpoint is created. */
  trust(secret: string): void
  /** Resolves when this many verified events have arrived; rejects after `timeoutMs`. */
  received(count: number, timeoutMs?: number): Promise<ReceivedEvent[]>
  close(): Promise<void>
}

export async function startEventReceiver(): Promise<EventReceiver> {
  const events: ReceivedEvent[] = []
  let waiting: (() => void)[] = []
  let webhook: Webhook | undefined
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    try {
      if (!webhook) throw new Error('no secret yet')
      const payload = webhook.verify(body, request.headers as Record<string, string>) as Record<string, unknown>
      events.push({ id: String(request.headers['webhook-id']), event: String(payload.event), payload })
      response.writeHead(204).end()
    } catch {
      response.writeHead(401).end()
    }
    for (const wake of waiting) wake()
    waiting = []
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/events`,
    trust: (secret) => {
      webhook = new Webhook(secret)
    },
    async received(count, timeoutMs = 10_000) {
      const deadline = AbortSignal.timeout(timeoutMs)
      while (events.length < count) {
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve)
          deadline.addEventListener('abort', () =>
            reject(new Error(`Only ${events.length} of ${count} events arrived.`)),
          )
        })
      }
      return events
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
