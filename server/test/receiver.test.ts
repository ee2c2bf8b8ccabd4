import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testReceiver } from './receiver.ts'

test('records method, address, headers and the bytes of the body', async () => {
  const { url, received } = await testReceiver()
  const before = Date.now()
  const response = await fetch(`${url}/hook?a=1`, { method: 'PUT', headers: { 'X-One': '1' }, body: '{"é": 1}' })
  expect(response.status).toBe(200)
  const [request] = received()
  expect(request).toMatchObject({ method: 'PUT', url: '/hook?a=1', headers: { 'x-one': '1' } })
  expect(request?.body).toEqual(Buffer.from('{"é": 1}'))
  expect(request?.time).toBeGreaterThanOrEqual(before)
})

test('answers as told, request by request', async () => {
  const { url } = await testReceiver((_, index) => ({ status: index === 0 ? 503 : 201, body: `${index}` }))
  const answers = [await fetch(url), await fetch(url)]
  expect(answers.map(({ status }) => status)).toEqual([503, 201])
  expect(await answers[1]?.text()).toBe('1')
})

test('redirects', async () => {
  const { url } = await testReceiver(() => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }))
  const { status, headers } = await fetch(url, { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([302, 'http://127.0.0.1:1/'])
})

test('waits with its answer until it is told', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const { url, next } = await testReceiver(() => released.then(() => ({ status: 204 })))
  const answer = fetch(url)
  await next()
  release()
  expect((await answer).status).toBe(204)
})

test('hangs and resets', async () => {
  const server = await testReceiver(() => 'hang')
  const leaving = new AbortController()
  const answer = fetch(server.url, { signal: leaving.signal })
  await server.next()
  expect(await Promise.race([answer, delay(50, 'none yet')])).toBe('none yet')
  leaving.abort()
  await expect(answer).rejects.toThrow('aborted')
  server.respond = () => 'reset'
  await expect(fetch(server.url)).rejects.toThrow('fetch failed')
  expect(server.received()).toHaveLength(2)
})

test('gives the first requests as soon as they are there', async () => {
  const { url, next } = await testReceiver()
  const two = next(2)
  await fetch(`${url}/1`)
  expect(await Promise.race([two, 'only one'])).toBe('only one')
  await fetch(`${url}/2`)
  await fetch(`${url}/3`)
  expect((await two).map((request) => request.url)).toEqual(['/1', '/2'])
  expect(await next(3)).toHaveLength(3)
})
