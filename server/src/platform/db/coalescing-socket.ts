import { Socket } from 'node:net'

/**
 * Creates a socket that coalesces the writes of one turn of the event loop into one system call, so that statements
 * issued together travel in one packet.
 */
export function coalescingSocket(): Socket {
  const socket = new Socket()
  const write = socket.write.bind(socket) as (...written: unknown[]) => boolean
  let corked = false
  const corkedWrite = (...written: unknown[]): boolean => {
    if (!corked) {
      corked = true
      socket.cork()
      process.nextTick(() => {
        corked = false
        socket.uncork()
      })
    }
    return write(...written)
  }
  return Object.assign(socket, { write: corkedWrite })
}
