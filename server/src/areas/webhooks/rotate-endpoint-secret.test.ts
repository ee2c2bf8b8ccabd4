import { beforeEach, expect, test } from 'vitest'
import { testReceiver } from '../../../test/receiver.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../test/webhook-workspace.ts'
import { sql } from '../../platform/db/db.ts'
import { sign } from './sending/signature.ts'

const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'
const HOUR = 3_600_000

let service: Service
let ws: WebhookWorkspace
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWebhookWorkspace(service)
})

test('until the overlap ends, deliveries carry the signatures of both secrets', async () => {
  const { url, received } = await testReceiver()
  const { id } = await ws.createEndpoint({ url })
  await ws.ok(`${ENDPOINTS}/secret/rotate`, { endpointId: id, overlapSeconds: 3600 })
  await ws.emit()
  await service.drainJobs()
  service.clock.ahead = HOUR + 1_000
  await ws.emit()
  await service.drainJobs()
  await ws.ok(`${ENDPOINTS}/secret/rotate`, { endpointId: id, overlapSeconds: 0 })
  await ws.emit()
  await service.drainJobs()
  const signatures = received().map(({ headers }) => String(headers['webhook-signature']).split(' ').length)
  expect(signatures).toEqual([2, 1, 1])
})

test('after many rotations, deliveries carry the signatures of the new secret and at most four before it', async () => {
  const { url, received } = await testReceiver()
  const { id } = await ws.createEndpoint({ url })
  const valid: string[] = []
  for (let n = 0; n < 7; n++) {
    const { secret } = (await ws.ok(`${ENDPOINTS}/secret/rotate`, { endpointId: id, overlapSeconds: 3600 })).data
    valid.unshift(secret)
  }
  await ws.emit()
  await service.drainJobs()
  const [request] = received()
  const { 'webhook-id': messageId, 'webhook-timestamp': time, 'webhook-signature': signature } = request?.headers ?? {}
  const message = { id: String(messageId), timestamp: Number(time), body: String(request?.body) }
  expect(signature).toBe(
    valid
      .slice(0, 5)
      .map((secret) => sign(secret, message))
      .join(' '),
  )
  service.clock.ahead = 2 * HOUR
  await ws.ok(`${ENDPOINTS}/secret/rotate`, { endpointId: id })
  const kept = await service.database.query(sql`select from webhook_secret where api_key = ${ws.apiKey}`)
  expect(kept).toHaveLength(2)
})
