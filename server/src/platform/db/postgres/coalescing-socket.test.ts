import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test, vi } from 'vitest'
import { listen } from '../../../../test/ports/listen.ts'
import { coalescingSocket } from './coalescing-socket.ts'

test('statements that are issued together are one system call', async () => {
  const received: Buffer[] = []
  const server = createServer((peer) => peer.on('data', (data) => received.push(data)))
  const socket = coalescingSocket()
  socket.connect(await listen(server), '127.0.0.1')
  await once(socket, 'connect')
  const call = vi.spyOn(socket, '_writev' as never)

  // As the driver writes a statement.
  const statement = (text: string) => {
    socket.cork()
    for (const part of text) socket.write(part)
    socket.uncork()
  }
  statement('ab')
  statement('cd')
  await vi.waitFor(() => expect(Buffer.concat(received).toString()).toBe('abcd'))
  expect(call).toHaveBeenCalledTimes(1)

  statement('ef')
  await vi.waitFor(() => expect(Buffer.concat(received).toString()).toBe('abcdef'))
  expect(call).toHaveBeenCalledTimes(2)
  socket.destroy()
  server.close()
})
