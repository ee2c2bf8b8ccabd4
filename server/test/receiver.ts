import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { Arrivals } from './arrivals.ts'
import { listen } from './ports/listen.ts'

/** A received request; `body` holds its bytes, `time` the epoch milliseconds of its end. */
export interface ReceivedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
  time: number
}

/** A response; `hang` never responds, `reset` breaks the connection. */
export type Reply = { status: number; headers?: Record<string, string>; body?: string } | 'hang' | 'reset'

/** Chooses the response to a request; `index` is the number of requests before it. A promise delays the response. */
export type Respond = (request: ReceivedRequest, index: number) => Reply | Promise<Reply>

export interface Receiver {
  /** Base address without a trailing slash. */
  url: string
  /** May be replaced at any time. */
  respond: Respond
  received(): ReceivedRequest[]
  /** Resolves with the first `count` requests once that many have arrived; rejects after ten seconds. */
  next(count?: number): Promise<ReceivedRequest[]>
  close(): Promise<void>
}

/**
 * A customer's HTTP server on loopback. It records what it receives, and responds with 200 unless a test sets
 * otherwise.
 */
export async function startReceiver({ respond }: { respond?: Respond } = {}): Promise<Receiver> {
  const arrivals = new Arrivals<ReceivedRequest>()
  const server = createServer((incoming, response) => {
    // A sender that disconnects in the middle is part of some tests, and is not a request.
    answer(incoming, response).catch(() => response.destroy())
  })
  const receiver: Receiver = {
    url: `http://127.0.0.1:${await listen(server)}`,
    respond: respond ?? (() => ({ status: 200 })),
    received: () => arrivals.all(),
    next: (count = 1) => arrivals.first(count),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming
    const body = Buffer.concat(await incoming.toArray())
    const request = { method, url, headers, body, time: Date.now() }
    const index = arrivals.all().length
    arrivals.add(request)
    const reply = await receiver.respond(request, index)
    if (reply === 'reset') response.destroy()
    else if (reply !== 'hang') response.writeHead(reply.status, reply.headers).end(reply.body)
  }
}

/** A receiver for the running test; it closes when the test ends. */
export async function testReceiver(respond?: Respond): Promise<Receiver> {
  const receiver = await startReceiver(respond ? { respond } : {})
  onTestFinished(() => receiver.close())
  return receiver
}

/** The parsed body of a request; throws if there is no request. */
export const bodyOf = (request: ReceivedRequest | undefined): Record<string, unknown> =>
  JSON.parse(request?.body.toString() ?? 'null')
