import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startReceiver } from '../../../test/receiver.ts'
import { startAlone } from '../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../test/webhook-workspace.ts'

const ADVANCED = '/v2/workspace/advancedwebhook'

let service: Awaited<ReturnType<typeof startAlone>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
let ws: WebhookWorkspace
let endpointId: string
let deliveryId: string
let calls = 0
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startAlone()
  ws = await newWebhookWorkspace(service)
  endpointId = (await ws.createEndpoint({ url: receiver.url })).id
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
])('%s wakes the workers at once, without waiting for their poll', async (path, data) => {
  await service.drainJobs()
  const before = calls
  await ws.ok(`${ADVANCED}/${path}`, data())
  await expect.poll(() => calls).toBeGreaterThan(before)
})
