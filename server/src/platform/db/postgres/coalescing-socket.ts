import { Socket } from 'node:net'

/**
 * Creates a socket that coalesces the writes of one step of the program, up to its next wait, into one system call. So
 * statements issued together travel in one packet. Waiting for the end of the turn saves more calls, but then the
 * database begins later. With TLS, which writes below the socket, it does nothing.
 */
export function coalescingSocket(): Socket {
  const socket = new Socket()
  const write = socket.write.bind(socket) as (...written: unknown[]) => boolean
  let corked = false
  const corkedWrite = (...written: unknown[]): boolean => {
    if (!corked) {
      corked = true
      socket.cork()
      queueMicrotask(() => {
        corked = false
        socket.uncork()
      })
    }
    return write(...written)
  }
  // Not before: to connect, Node puts back its own `write`.
  return socket.once('connect', () => Object.assign(socket, { write: corkedWrite }))
}
