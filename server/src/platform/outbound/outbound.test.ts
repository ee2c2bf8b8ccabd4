import { EventEmitter, once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { listen } from '../../../test/ports/listen.ts'
import { ApiError } from '../errors.ts'
import { createOutbound, type Outbound, OutboundError } from './outbound.ts'

const LOOPBACK = ['127.0.0.0/8', '::1/128']
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function receiver(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(listener)
  const port = await listen(server)
  cleanups.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { server, port }
}

function outbound(...[options]: Parameters<typeof createOutbound>): Outbound {
  const door = createOutbound(options)
  cleanups.push(() => door.close())
  return door
}

const post = (url: string) => ({ url, method: 'POST', headers: {}, timeoutMs: 5000, maxResponseBytes: 1000 }) as const

async function failureOf(answer: Promise<unknown>): Promise<OutboundError> {
  const error = await answer.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof OutboundError)) throw new Error('No OutboundError was thrown.', { cause: error })
  return error
}

describe('the URL of a configuration', () => {
  const door = outbound({ allow: [] })

  test.each([
    ...[
      'http://127.0.0.1/',
      'https://127.0.0.1:8443/x',
      'http://2130706433/',
      'http://0x7f000001/',
      'http://0177.0.0.1/',
    ],
    ...[
      'http://127.1/',
      'http://0/',
      'http://127.0.0.1./',
      'http://①②⑦.0.0.1/',
      'http://%31%32%37.0.0.1/',
      'http://127。0。0。1/',
    ],
    ...['http://10.0.0.1/', 'http://169.254.169.254/latest/meta-data', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/'],
    ...['http://[::ffff:7f00:1]/', 'http://[64:ff9b::7f00:1]/', 'http://[64:ff9b:1::1]/', 'http://[2002:7f00:1::]/'],
    ...['http://[fd00:ec2::254]/', 'http://[fe80::1]/', 'http://[::]/', 'http://\t127.0.0.1/', 'HTTP://127.0.0.1/'],
    ...[
      'ftp://example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'example.com',
      '',
      'http:/127.0.0.1/',
      'http://',
    ],
    ...['https://user@example.com/', 'https://user:pass@example.com/', 'http://example.com@127.0.0.1/'],
  ])('%j is INVALID_ARGUMENT', (url) => {
    expect(() => door.assertUrl(url, 'endpoint.url')).toThrow(
      expect.objectContaining({ status: 'INVALID_ARGUMENT', message: expect.stringMatching(/^endpoint\.url must /) }),
    )
    expect(() => door.assertUrl(url, 'endpoint.url')).toThrow(ApiError)
  })

  test.each(['https://example.com/hook?a=b', 'http://8.8.8.8/', 'http://[2606:4700::1111]/', 'http://localhost:3000/'])(
    '%j is admitted: names are judged when they are called',
    (url) => expect(door.assertUrl(url, 'url')).toBeUndefined(),
  )

  test('an allowed range admits its literal addresses, and the error for others names the setting', () => {
    const local = outbound({ allow: LOOPBACK })
    expect(local.assertUrl('http://127.0.0.1:9000/', 'url')).toBeUndefined()
    expect(() => local.assertUrl('http://10.0.0.1/', 'url')).toThrow('OUTBOUND_ALLOW')
  })
})

describe('a request', () => {
  test('carries method, headers and body, and answers status, headers, body and duration', async () => {
    const { port } = await receiver(async (request, response) => {
      const chunks = await request.toArray()
      response.writeHead(201, { 'x-answer': 'yes' })
      response.end(`${request.method} ${request.url} ${request.headers['x-question']} ${Buffer.concat(chunks)}`)
    })
    const answer = await outbound({ allow: LOOPBACK }).request({
      ...post(`http://127.0.0.1:${port}/hook?a=b`),
      headers: { 'x-question': 'why' },
      body: 'because',
    })
    expect(answer).toMatchObject({ status: 201, headers: { 'x-answer': 'yes' }, durationMs: expect.any(Number) })
    expect(answer.body.toString()).toBe('POST /hook?a=b why because')
  })

  test('does not follow a redirect', async () => {
    let calls = 0
    const { port } = await receiver((_request, response) => {
      calls++
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    const answer = await outbound({ allow: LOOPBACK }).request(post(`http://127.0.0.1:${port}/`))
    expect(answer.status).toBe(307)
    expect(calls).toBe(1)
  })

  test('reads no more of an endless answer than its limit, and hangs up', async () => {
    let hungUp: Promise<unknown> | undefined
    const { port } = await receiver((_request, response) => {
      const write = () => {
        while (response.write('x'.repeat(10_000)));
      }
      response.on('drain', write)
      hungUp = once(response, 'close')
      write()
    })
    const answer = await outbound({ allow: LOOPBACK }).request(post(`http://127.0.0.1:${port}/`))
    expect(answer.body.toString()).toBe('x'.repeat(1000))
    expect(hungUp).toBeDefined()
    await hungUp
  })

  test('reuses connections', async () => {
    const ports = new Set<number | undefined>()
    const { port } = await receiver((request, response) => {
      ports.add(request.socket.remotePort)
      response.end('ok')
    })
    const door = outbound({ allow: LOOPBACK })
    for (let i = 0; i < 10; i++) await door.request(post(`http://127.0.0.1:${port}/`))
    expect(ports.size).toBeLessThanOrEqual(2)
  })

  test.each([
    ['headers that never come', () => {}],
    ['a body that never ends', ((_request, response) => response.write('x')) satisfies RequestListener],
  ])('is given up after its time: %s', async (_case, listener) => {
    const { port } = await receiver(listener)
    const failure = await failureOf(
      outbound({ allow: LOOPBACK }).request({ ...post(`http://127.0.0.1:${port}/`), timeoutMs: 60 }),
    )
    expect(failure.failure).toBe('timeout')
    expect(failure.durationMs).toBeGreaterThanOrEqual(55)
  })

  test('is given up after its time while the name is still being resolved', async () => {
    let requests = 0
    const { port } = await receiver((_request, response) => response.end(String(++requests)))
    const addresses = [{ address: '127.0.0.1', family: 4 }]
    const slow = new EventEmitter()
    let lookups = 0
    const lookup = async () => {
      if (++lookups === 1) await once(slow, 'resolved')
      return addresses
    }
    const door = outbound({ allow: LOOPBACK, lookup })
    const failure = await failureOf(door.request({ ...post(`http://slow.example:${port}/`), timeoutMs: 60 }))
    expect(failure.failure).toBe('timeout')
    slow.emit('resolved')
    // The aborted request is not sent later.
    expect((await door.request(post(`http://slow.example:${port}/`))).body.toString()).toBe('1')
  })

  test('says in words why there was no answer', async () => {
    const { server, port } = await receiver((request) => request.socket.destroy())
    const door = outbound({ allow: LOOPBACK })
    const closed = await failureOf(door.request(post(`http://127.0.0.1:${port}/`)))
    expect(closed).toMatchObject({ failure: 'unreachable', message: expect.stringMatching(/^The connection was /) })
    await new Promise((resolve) => server.close(resolve))
    const refused = await failureOf(door.request(post(`http://127.0.0.1:${port}/`)))
    expect(refused).toMatchObject({ failure: 'unreachable', message: 'The connection was refused (ECONNREFUSED).' })
  })
})

describe('an address that may not be called', () => {
  async function untouched(door: Outbound, url: (port: number) => string): Promise<OutboundError> {
    let connections = 0
    const { server, port } = await receiver((_request, response) => response.end())
    server.on('connection', () => connections++)
    const failure = await failureOf(door.request(post(url(port))))
    expect(connections).toBe(0)
    return failure
  }

  test.each(['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', '0'])('is refused as the literal %s', async (host) => {
    const failure = await untouched(outbound({ allow: [] }), (port) => `http://${host}:${port}/`)
    expect(failure.failure).toBe('refused-address')
  })

  test.each(['http', 'https'])('is refused behind a name (%s), and not told', async (scheme) => {
    const door = outbound({ allow: [], lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
    const failure = await untouched(door, (port) => `${scheme}://inside.example:${port}/`)
    expect(failure.failure).toBe('refused-address')
    expect(failure.message).toBe('The host has no address that may be called.')
  })

  test('reads like a name that does not resolve', async () => {
    const refused = outbound({ allow: [], lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
    const messages = [(await failureOf(refused.request(post('http://inside.example/')))).message]
    for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'ENODATA']) {
      const lookup = async () => {
        throw Object.assign(new Error(`getaddrinfo ${code} inside.example`), { code })
      }
      messages.push((await failureOf(outbound({ allow: [], lookup }).request(post('http://inside.example/')))).message)
    }
    expect(new Set(messages).size).toBe(1)
  })

  test('is refused behind the real name localhost', async () => {
    const failure = await untouched(outbound({ allow: [] }), (port) => `http://localhost:${port}/`)
    expect(failure.failure).toBe('refused-address')
  })

  test('condemns the other addresses of its name', async () => {
    const lookup = async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    const failure = await untouched(outbound({ allow: LOOPBACK, lookup }), (port) => `http://mixed.example:${port}/`)
    expect(failure.failure).toBe('refused-address')
  })

  test('is refused when the name is bound to it between two requests', async () => {
    const { port } = await receiver((_request, response) => response.setHeader('connection', 'close').end())
    const answers = ['127.0.0.1', '127.0.0.2']
    const lookup = async () => [{ address: answers.shift() ?? '', family: 4 }]
    const door = outbound({ allow: ['127.0.0.1/32'], lookup })
    expect(await door.request(post(`http://rebinding.example:${port}/`))).toMatchObject({ status: 200 })
    const failure = await failureOf(door.request(post(`http://rebinding.example:${port}/`)))
    expect(failure.failure).toBe('refused-address')
  })

  test('a name without addresses is refused', async () => {
    const failure = await failureOf(
      outbound({ allow: [], lookup: async () => [] }).request(post('http://void.example/')),
    )
    expect(failure.failure).toBe('refused-address')
  })
})
