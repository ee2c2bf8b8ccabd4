import { Socket } from 'node:net'

/**
 * A socket that sends what is written in one burst of the event loop with one system call: statements issued together
 * travel in one packet.
 */
export function coalescingSocket(): Socket {
  const socket = new Socket()
  const write = socket.write.bind(socket) as (...written: unknown[]) => boolean
  let gathering = false
  const gather = (...written: unknown[]): boolean => {
    if (!gathering) {
      gathering = true
      socket.cork()
      process.nextTick(() => {
        gathering = false
        socket.uncork()
      })
    }
    return write(...written)
  }
  return Object.assign(socket, { write: gather })
}
