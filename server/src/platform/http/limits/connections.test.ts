import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '../../../../test/ports/listen.ts'
import { drainConnections, endStalledReader, limitConnections, limitPipelining } from './connections.ts'

const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'

async function listening(server: Server): Promise<() => Socket> {
  const port = await listen(server)
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    sockets.push(socket)
    return socket
  }
}

test('connections of one address beyond the limit are closed at once, and a place that is free again can be taken', async () => {
  const server = createServer((_request, response) => response.end('ok'))
  limitConnections(server, { total: 0, perAddress: 2 })
  const open = await listening(server)
  const [first, second] = [open(), open()]
  await Promise.all([first, second].map((socket) => once(socket, 'connect')))
  await once(open(), 'close')
  expect([first.destroyed, second.destroyed]).toEqual([false, false])
  first.destroy()
  await expect
    .poll(async () => {
      const socket = open()
      socket.write(REQUEST)
      const [outcome] = await Promise.race([once(socket, 'data'), once(socket, 'close')])
      socket.destroy()
      return String(outcome)
    })
    .toContain('200 OK')
})

test('connections beyond the total are closed at once', async () => {
  const server = createServer()
  limitConnections(server, { total: 1, perAddress: 0 })
  const open = await listening(server)
  await once(open(), 'connect')
  await once(open(), 'close')
})

test('a connection on which too many requests wait for their responses is closed, and others are served', async () => {
  let handled = 0
  const server = createServer((_request, response) => {
    handled += 1
    response.end('ok')
  })
  limitPipelining(server, 5)
  const open = await listening(server)
  const [hasty, patient] = [open(), open()]
  hasty.resume()
  hasty.write(REQUEST.repeat(1_000))
  await once(hasty, 'close')
  expect(handled).toBe(5)
  for (let times = 0; times < 10; times++) {
    patient.write(REQUEST)
    await once(patient, 'data')
  }
  expect(handled).toBe(15)
})

test('responses that wait behind another close with their connection', async () => {
  const server = createServer()
  const closed: (string | undefined)[] = []
  server.on('request', ({ url }, response) => response.once('close', () => closed.push(url)))
  limitPipelining(server)
  const open = await listening(server)
  const leaves = open()
  leaves.write(['/1', '/2', '/3'].map((path) => REQUEST.replace('/', path)).join(''))
  const responses = await new Promise<ServerResponse[]>((resolve) => {
    const all: ServerResponse[] = []
    server.on('request', (_request, response) => all.push(response) === 3 && resolve(all))
  })
  leaves.destroy()
  await vi.waitFor(() => expect(closed.sort()).toEqual(['/1', '/2', '/3']))
  expect(responses.map(({ destroyed }) => destroyed)).toEqual([true, true, true])
})

test('a response whose reader takes nothing is ended', async () => {
  const server = createServer((_request, response) => {
    endStalledReader(response, 200)
    response.write(LARGE)
  })
  const open = await listening(server)
  const socket = open()
  socket.pause()
  socket.write(REQUEST)
  const [response] = await once(server, 'request')
  const [connection] = [response.socket as Socket]
  await once(connection, 'close')
  expect(connection.destroyed).toBe(true)
})

test('a response that is made slowly is not ended, and its reader still is where it takes nothing afterwards', async () => {
  const server = createServer((request, response) => {
    endStalledReader(response, 100)
    setTimeout(() => (request.url === '/whole' ? response.end('whole') : response.write(LARGE)), 350)
  })
  const open = await listening(server)
  const [waits, stalls] = [open(), open()]
  stalls.pause()
  stalls.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
  const [, response] = await once(server, 'request')
  waits.write('GET /whole HTTP/1.1\r\nhost: x\r\n\r\n')
  const [answer] = await Promise.race([once(waits, 'data'), once(waits, 'close')])
  expect(String(answer)).toContain('whole')
  await once(response, 'close')
  expect(response.destroyed).toBe(true)
})

const LARGE = Buffer.alloc(64 * 1024 * 1024)

test('a server that closes waits for requests under way, but not for connections that have sent none', async () => {
  const server = createServer()
  const drain = drainConnections(server, { silentMs: 0, allMs: 60_000 })
  const open = await listening(server)
  const [silent, asking] = [open(), open()]
  const asked = once(server, 'request')
  silent.write('GET / HT')
  asking.write(REQUEST)
  const [, response] = await asked
  drain()
  const closed = new Promise((resolve) => server.close(resolve))
  await once(silent, 'close')
  expect(asking.destroyed).toBe(false)
  response.setHeader('connection', 'close')
  response.end('ok')
  expect(String((await once(asking, 'data'))[0])).toContain('200 OK')
  await closed
})

test('a server that closes cuts what stands still in the end', async () => {
  const server = createServer()
  const drain = drainConnections(server, { silentMs: 60_000, allMs: 100 })
  const open = await listening(server)
  const asking = open()
  asking.write(REQUEST)
  await once(server, 'request')
  drain()
  const closed = new Promise((resolve) => server.close(resolve))
  await once(asking, 'close')
  await closed
})
