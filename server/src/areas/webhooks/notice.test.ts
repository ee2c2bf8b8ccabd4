import { expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../../../test/receiver.ts'
import { newWorkspace, startService } from '../../../test/running-service.ts'

const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'

test('disabling is announced by endpoint.disabled, to the other endpoints and once', async () => {
  const service = await startService()
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const ws = await newWorkspace(service)
  await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
  const filterTypes = ['endpoint.disabled']
  const create = async (path: string) =>
    (await ws.ok(`${ENDPOINTS}/create`, { url: `${receiver.url}/${path}`, filterTypes })).data.id
  const endpointId = await create('disabled')
  await create('other')

  await ws.ok(`${ENDPOINTS}/update`, { endpointId, disabled: true })
  await ws.ok(`${ENDPOINTS}/update`, { endpointId, disabled: true, description: 'again' })
  await service.drainJobs()

  const [request, ...others] = receiver.received()
  expect(others).toEqual([])
  expect(request?.url).toBe('/other')
  expect(JSON.parse(request?.body.toString() ?? '')).toMatchObject({
    event: 'endpoint.disabled',
    source: 'webhook',
    actionType: 'disabled',
    data: { endpointId, url: `${receiver.url}/disabled`, reason: 'manual', failingSince: null },
  })
})
