import { expect, test } from 'vitest'
import { bodyOf, testReceiver } from '../../../test/receiver.ts'
import { startService } from '../../../test/running-service.ts'
import { newWebhookWorkspace } from '../../../test/webhook-workspace.ts'

const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'

test('disabling is announced by endpoint.disabled, to the other endpoints and once', async () => {
  const service = await startService()
  const receiver = await testReceiver()
  const ws = await newWebhookWorkspace(service)
  const create = (path: string) =>
    ws.createEndpoint({ url: `${receiver.url}/${path}`, filterTypes: ['endpoint.disabled'] })
  const { id: endpointId } = await create('disabled')
  await create('other')

  await ws.ok(`${ENDPOINTS}/update`, { endpointId, disabled: true })
  await ws.ok(`${ENDPOINTS}/update`, { endpointId, disabled: true, description: 'again' })
  await service.drainJobs()

  const [request, ...others] = receiver.received()
  expect(others).toEqual([])
  expect(request?.url).toBe('/other')
  expect(bodyOf(request)).toMatchObject({
    event: 'endpoint.disabled',
    source: 'webhook',
    actionType: 'disabled',
    data: { endpointId, url: `${receiver.url}/disabled`, reason: 'manual', failingSince: null },
  })
})
