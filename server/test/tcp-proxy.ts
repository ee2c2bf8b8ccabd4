import { createServer, type Socket } from 'node:net'
import { joined } from './ports/joined.ts'
import { listen } from './ports/listen.ts'

/** A TCP proxy in front of a database server, to cut connections with; `url` leads through it. */
export async function startProxy(target: string) {
  const sockets = new Set<Socket>()
  let up = true
  const server = createServer((inbound) => {
    if (!up) {
      inbound.destroy()
      return
    }
    const outbound = joined(inbound, new URL(target), sockets)
    inbound.pipe(outbound)
    outbound.pipe(inbound)
  })
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(await listen(server))
  return {
    url: url.href,
    /** Breaks every connection and accepts none until `restore`. */
    cut() {
      up = false
      for (const socket of sockets) socket.destroy()
    },
    restore() {
      up = true
    },
    /** Keeps every connection and passes nothing on until `release`, as a server does that hangs. */
    hold() {
      for (const socket of sockets) socket.pause()
    },
    release() {
      for (const socket of sockets) socket.resume()
    },
    close: () => server.close(),
  }
}
