import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook, WebhookVerificationError } from '../../client/src/index.ts'
import { Failure } from './failure.ts'

const MOST_BYTES = 20_000_000
const FORWARD_MS = 15_000

/** A request that was received and answered. */
export interface Received {
  id: string
  /** The verified event; undefined if the request was refused. */
  event: unknown
  /** Why it was refused or could not be forwarded. */
  fault: string | undefined
  /** The HTTP status that the sender got. */
  status: number
  durationMs: number
}

interface Options {
  port: number
  /** The signing secret, once it is known. */
  secret(): string
  /** Where verified requests are sent on, as they came. Its status is the answer. */
  forward: string | undefined
  onReceived(received: Received): void
}

/** Receives webhooks on loopback and verifies each. Resolves with its address and a way to close it. */
export async function startReceiver(options: Options): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    // A sender that goes away in the middle gets no answer.
    answer(options, request, response).catch(() => response.destroy())
  })
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening').catch((error) => {
    throw new Failure(
      `Port ${options.port} cannot be used: ${error.message}`,
      'Choose another with --port; 0 takes a free one.',
    )
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function answer(options: Options, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const start = performance.now()
  const body = await bodyOf(request)
  const outcome =
    body === undefined ? { event: undefined, status: 413, fault: 'is too large' } : await handle(options, request, body)
  response.writeHead(outcome.status).end()
  const id = [request.headers['webhook-id'] ?? ''].flat().join()
  options.onReceived({ id, ...outcome, durationMs: Math.round(performance.now() - start) })
}

type Outcome = Pick<Received, 'event' | 'status' | 'fault'>

async function handle({ secret, forward }: Options, { headers }: IncomingMessage, body: Buffer): Promise<Outcome> {
  let event: unknown
  try {
    event = await verifyWebhook<unknown>(body, headers, secret())
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { event: undefined, status: 401, fault: error.message }
    throw error
  }
  if (forward === undefined) return { event, status: 204, fault: undefined }
  try {
    return { event, status: await sendOn(forward, headers, body), fault: undefined }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return {
      event,
      status: 502,
      fault: `${forward} does not answer: ${cause instanceof Error ? cause.message : cause}`,
    }
  }
}

const KEPT = /^(webhook-|svix-|content-type$|user-agent$|authorization$)/

async function sendOn(address: string, headers: IncomingHttpHeaders, body: Buffer): Promise<number> {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && KEPT.test(name) ? [[name, value]] : [],
  )
  const { status } = await fetch(address, {
    method: 'POST',
    headers: kept,
    body: new Uint8Array(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(FORWARD_MS),
  })
  return status
}

/** The body; undefined if it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= MOST_BYTES) chunks.push(chunk)
  }
  return size <= MOST_BYTES ? Buffer.concat(chunks) : undefined
}
