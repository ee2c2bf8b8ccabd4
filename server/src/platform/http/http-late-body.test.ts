import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { newWorkspace, startConfigured, startService, type TestWorkspace } from '../../../test/running-service.ts'

/** Begins a call; returns a function that sends the end of its body, and returns the status of the answer. */
async function heldBack(url: string, ws: TestWorkspace, path: string, data: object) {
  const { readable, writable } = new TextEncoderStream()
  const writer = writable.getWriter()
  const text = JSON.stringify({ data })
  const headers = { 'content-type': 'application/json', ...ws.keyHeaders, ...ws.workspaceHeaders }
  const answer = fetch(url + path, { method: 'POST', headers, body: readable, duplex: 'half' } as RequestInit)
  await writer.write(text.slice(0, 5))
  return async () => {
    const rest = writer.write(text.slice(5)).then(() => writer.close())
    rest.catch(() => {})
    return (await answer).status
  }
}

test.each([
  ['/v2/users/add', { organizationId: 'acme', users: [{ userId: 'late' }] }, 403],
  ['/v2/users/get', { organizationId: 'acme' }, 403],
  ['/v2/workspace/apikeys/get', {}, 401],
] as const)('credentials that are revoked while a body arrives do not count: %s', async (path, data, refused) => {
  const service = await startConfigured({ CONCURRENCY_KEY: '2' })
  const ws = await newWorkspace(service)
  await ws.ok('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'ada' }] })
  const call = (path: string, data: object) => service.call(path, data, { ...ws.keyHeaders, ...ws.workspaceHeaders })
  const held = await Promise.all(Array.from({ length: 8 }, () => heldBack(service.url, ws, path, data)))
  // Two are being worked on, so their credentials were judged. The others are refused.
  await vi.waitFor(async () => expect((await call(path, data)).status).toBe(429), 20_000)
  // A body that arrives within a second is not late.
  await delay(1_200)
  const another = await startService()
  for (const reset of [{ apiKey: ws.apiKey }, { workspace: true }]) {
    const answer = await another.call('/v2/workspace/authtoken/reset', reset, ws.workspaceHeaders)
    expect(answer.status).toBe(200)
  }
  const statuses = await Promise.all(held.map((send) => send()))
  expect(statuses.filter((status) => status !== 429)).toEqual([refused, refused])
  await service.app.http.close()
})
