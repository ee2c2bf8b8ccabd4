import { createServer, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { ConnectionError } from '../../client/src/index.ts'
import { listen } from '../../server/test/ports/listen.ts'
import { post } from './post.ts'

/** The address of a server that answers so. */
async function serverThat(answers: RequestListener): Promise<string> {
  const server = createServer(answers)
  const port = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${port}`
}

test('the body is sent as JSON with the headers, and the response is handed over', async () => {
  const url = await serverThat(async (request, response) => {
    const { method, headers } = request
    const body = (await request.toArray()).join('')
    response.writeHead(418, { 'x-request-id': 'r1' }).end(JSON.stringify([method, headers.authorization, body]))
  })
  const response = await post(url, { authorization: 'Bearer t' }, { a: 'ü' })
  expect([response.status, response.headers.get('x-request-id')]).toEqual([418, 'r1'])
  expect(await response.json()).toEqual(['POST', 'Bearer t', '{"a":"ü"}'])
})

test('a redirect would carry the credentials to another place, so it is not followed', async () => {
  const url = await serverThat((_, response) => response.writeHead(307, { location: 'http://evil.example' }).end())
  expect((await post(url, {}, {})).status).toBe(307)
})

test('a stream that breaks off is an error, also after its first bytes', async () => {
  const url = await serverThat((_, response) => response.write('begun', () => response.destroy()))
  await expect(post(url, {}, {}).then((response) => response.text())).rejects.toThrow()
})

test('a server that is not there is a ConnectionError', async () => {
  await expect(post('http://127.0.0.1:1', {}, {})).rejects.toThrow(ConnectionError)
})

test('the signal ends a request that nobody answers', async () => {
  const stop = new AbortController()
  const url = await serverThat(() => stop.abort())
  await expect(post(url, {}, {}, stop.signal)).rejects.toThrow(ConnectionError)
})
