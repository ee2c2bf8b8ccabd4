import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { Arrivals } from './arrivals.ts'

/** A request as it came over the wire; `body` holds its bytes, `time` the epoch milliseconds of its end. */
export interface ReceivedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
  time: number
}

/** An answer to give; `hang` never answers, `reset` breaks the connection. */
export type Reply = { status: number; headers?: Record<string, string>; body?: string } | 'hang' | 'reset'

/** Decides the answer to a request, of which `index` were received before; a promise delays it. */
export type Respond = (request: ReceivedRequest, index: number) => Reply | Promise<Reply>

export interface Receiver {
  /** Base address without a trailing slash. */
  url: string
  /** May be replaced at any time. */
  respond: Respond
  received(): ReceivedRequest[]
  /** The first `count` requests, as soon as so many have arrived; rejects after ten seconds. */
  next(count?: number): Promise<ReceivedRequest[]>
  close(): Promise<void>
}

/** A customer's HTTP server on loopback that records what it receives and answers 200 unless told otherwise. */
export async function startReceiver({ respond }: { respond?: Respond } = {}): Promise<Receiver> {
  const arrivals = new Arrivals<ReceivedRequest>()
  const server = createServer((incoming, response) => {
    // A sender that breaks off in the middle is part of some tests, and not a request.
    answer(incoming, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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

/** A receiver for the running test, closed when that has finished. */
export async function testReceiver(respond?: Respond): Promise<Receiver> {
  const receiver = await startReceiver(respond ? { respond } : {})
  onTestFinished(() => receiver.close())
  return receiver
}

/** What the body of a request says; reading it fails where there was no request. */
export const bodyOf = (request: ReceivedRequest | undefined): Record<string, unknown> =>
  JSON.parse(request?.body.toString() ?? 'null')
