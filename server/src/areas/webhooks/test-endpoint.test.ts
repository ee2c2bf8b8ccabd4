import { beforeEach, expect, test } from 'vitest'
import { bodyOf, testReceiver } from '../../../test/receiver.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../test/webhook-workspace.ts'

const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'
const DELIVERIES = '/v2/workspace/advancedwebhook/deliveries'

let service: Service
let ws: WebhookWorkspace
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWebhookWorkspace(service)
})

test('sends a signed test event to that endpoint alone and returns the delivery', async () => {
  const { url, received } = await testReceiver()
  const { id } = await ws.createEndpoint({ url: `${url}/mine`, filterTypes: ['comment.update'], channels: ['org-9'] })
  await ws.createEndpoint({ url: `${url}/other` })
  const { data } = await ws.ok(`${ENDPOINTS}/test`, { endpointId: id })
  expect(data).toMatchObject({ endpointId: id, eventType: 'comment.update', status: 'pending', attempts: 0 })
  await ws.ok(`${ENDPOINTS}/test`, { endpointId: id, eventType: 'huddle.join' })
  await service.drainJobs()
  expect(received().map((request) => [request.url, bodyOf(request).event, bodyOf(request).test])).toEqual([
    ['/mine', 'comment.update', true],
    ['/mine', 'huddle.join', true],
  ])
  expect((await ws.ok(`${DELIVERIES}/get`, { deliveryId: data.id })).data.status).toBe('succeeded')
})

test('an unknown type is INVALID_ARGUMENT, a disabled endpoint FAILED_PRECONDITION, an unknown one NOT_FOUND', async () => {
  const { id } = await ws.createEndpoint({ url: 'https://example.com', disabled: true })
  const unknown = await ws.call(`${ENDPOINTS}/test`, { endpointId: id, eventType: 'nothing' })
  expect(unknown.body.error.details.issues[0].path).toBe('eventType')
  const disabled = await ws.call(`${ENDPOINTS}/test`, { endpointId: id })
  expect(disabled.body.error.status).toBe('FAILED_PRECONDITION')
  expect((await ws.call(`${ENDPOINTS}/test`, { endpointId: 'ep_x' })).body.error.status).toBe('NOT_FOUND')
})
