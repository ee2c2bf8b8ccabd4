import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startReceiver } from '../../../test/receiver.ts'
import { newWorkspace, startAlone, type TestWorkspace } from '../../../test/running-service.ts'

const ADVANCED = '/v2/workspace/advancedwebhook'

let service: Awaited<ReturnType<typeof startAlone>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
let ws: TestWorkspace
let endpointId: string
let deliveryId: string
let calls = 0
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startAlone()
  ws = await newWorkspace(service)
  await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
  endpointId = (await ws.ok(`${ADVANCED}/endpoints/create`, { url: receiver.url })).data.id
  await service.database.listen('precedent_work', () => calls++)
  deliveryId = (await ws.ok(`${ADVANCED}/endpoints/test`, { endpointId })).data.id
  await vi.waitFor(() => expect(calls).toBeGreaterThan(0), 15_000)
}, 120_000)
afterAll(async () => {
  await service.app.http.close()
  await receiver.close()
})

test.each([
  ['endpoints/test', () => ({ endpointId })],
  ['deliveries/resend', () => ({ deliveryId })],
  ['deliveries/replay', () => ({ endpointId, dateRange: { start: 0 } })],
])('%s is late by no poll: it wakes the workers', async (path, data) => {
  await service.drainJobs()
  const before = calls
  await ws.ok(`${ADVANCED}/${path}`, data())
  await expect.poll(() => calls).toBeGreaterThan(before)
})
