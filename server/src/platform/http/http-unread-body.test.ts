import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { startService } from '../../../test/running-service.ts'

/** The status that is answered to the headers of a request, before any of its body is sent. */
async function statusBeforeBody(url: string, method = 'POST'): Promise<number | undefined> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 5_000_000 }
  const call = request(url, { method, headers, agent: false }).on('error', () => {})
  onTestFinished(() => void call.destroy())
  return new Promise((answered) => {
    call.on('response', ({ statusCode }) => answered(statusCode))
    call.flushHeaders()
  })
}

test('a body that anybody can send is refused unread where the path leads nowhere, or where none can be large', async () => {
  const { url } = await startService()
  expect(await statusBeforeBody(`${url}/nowhere`)).toBe(404)
  expect(await statusBeforeBody(`${url}/healthz`)).toBe(404)
  expect(await statusBeforeBody(`${url}/v2/users/get`, 'PUT')).toBe(405)
  expect(await statusBeforeBody(`${url}/email/unsubscribe?token=none`)).toBe(413)
})
