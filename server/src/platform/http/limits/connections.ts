import type { EventEmitter } from 'node:events'
import type { Server, Socket } from 'node:net'
import { networkOf } from '../../outbound/address.ts'

/** How long a response may stand still because its reader takes nothing, in milliseconds. */
const STALLED_READER_MS = 30_000

/** A response as Node's HTTP server writes it. */
interface TimedResponse {
  /** Bytes that are written and that the reader has not taken. */
  readonly writableLength: number
  /** `then` is called at each timeout; the next one is waited for only after another call. */
  setTimeout(afterMs: number, then?: () => void): unknown
  destroy(): unknown
}

/**
 * Ends the connection of a response when its reader takes nothing for so long. One that has nothing to take waits, as
 * for a backup whose turn has not come. Call it before the response is written.
 */
export function endStalledReader(response: TimedResponse, afterMs = STALLED_READER_MS): void {
  response.setTimeout(afterMs, () => {
    if (response.writableLength > 0) response.destroy()
    else response.setTimeout(afterMs)
  })
}

/** Closes connections beyond the limits at once: so many in all, and so many from one address. 0 is no limit. */
export function limitConnections(server: Server, limits: { total: number; perAddress: number }): void {
  if (limits.total > 0) server.maxConnections = limits.total
  if (limits.perAddress === 0) return
  const counts = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '')
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    socket.once('close', () => {
      const left = (counts.get(address) ?? 1) - 1
      if (left > 0) counts.set(address, left)
      else counts.delete(address)
    })
    if (count > limits.perAddress) socket.destroy()
  })
}

/** When a server that drains gives up connections, in milliseconds: those that have sent no request, and all others. */
const GIVEN_UP = { silentMs: 1_000, allMs: 20_000 }

/**
 * Returns what to call when the server begins to close. A connection that has never sent a request, as browsers open
 * them ahead, does not hold the end up; nor for long does one whose request or answer stands still.
 */
export function drainConnections(
  server: Server & { closeAllConnections(): void },
  { silentMs, allMs } = GIVEN_UP,
): () => void {
  const silent = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }: { socket: Socket }) => silent.delete(socket))
  return () => {
    setTimeout(() => {
      for (const socket of silent) socket.destroy()
    }, silentMs).unref()
    setTimeout(() => server.closeAllConnections(), allMs).unref()
  }
}

/** The part of a response that is closed with its connection. While it waits behind another one, it has no socket. */
interface Pipelined extends EventEmitter {
  readonly socket: Socket | null
  destroy(): unknown
}

/** Requests of one connection that may be under way at a time. Clients that send one after another have one. */
const MOST_PIPELINED = 32

/**
 * Closes a connection on which more requests arrive before their responses. All that one packet holds, more than a
 * thousand, would be handled in one turn of the event loop, and those of each other connection too. When a
 * connection closes, all its responses do.
 */
export function limitPipelining(server: Server, most = MOST_PIPELINED): void {
  const responses = new WeakMap<Socket, Set<Pipelined>>()
  const handlers = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: { socket: Socket }, response: Pipelined) => {
    const { socket } = request
    const underWay = responses.get(socket) ?? closedWith(socket)
    responses.set(socket, underWay)
    if (underWay.size >= most) {
      socket.destroy()
      return
    }
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
    for (const handle of handlers) handle.call(server, request, response)
  })
}

/** A set of responses of a connection. Node closes with it only the one that is being sent. The others close here. */
function closedWith(socket: Socket): Set<Pipelined> {
  const underWay = new Set<Pipelined>()
  socket.once('close', () => {
    for (const response of underWay) {
      if (response.socket) continue
      response.destroy()
      response.emit('close')
    }
  })
  return underWay
}
