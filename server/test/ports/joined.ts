import { connect, type Socket } from 'node:net'

/**
 * Connects to a target for a connection that has come in. Both are among the sockets until either ends, which ends
 * both.
 */
export function joined(inbound: Socket, { hostname, port }: URL, sockets: Set<Socket>): Socket {
  const outbound = connect(Number(port), hostname)
  for (const socket of [inbound, outbound]) {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      inbound.destroy()
      outbound.destroy()
    })
  }
  return outbound
}
