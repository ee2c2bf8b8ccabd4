import { expect, test } from 'vitest'
import { bodyOf, testReceiver } from '../../../test/receiver.ts'
import { startService } from '../../../test/running-service.ts'
import { newWebhookWorkspace } from '../../../test/webhook-workspace.ts'
import { sql } from '../../platform/db/db.ts'

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

test('one that is disabled by a call tells since when it failed, and is not kept as one disabled for that', async () => {
  const service = await startService()
  const receiver = await testReceiver(({ url }) => ({ status: url === '/failing' ? 500 : 200 }))
  const ws = await newWebhookWorkspace(service)
  const { id: endpointId } = await ws.createEndpoint({ url: `${receiver.url}/failing` })
  await ws.createEndpoint({ url: `${receiver.url}/other`, filterTypes: ['endpoint.disabled'] })
  const failingSince = async () => {
    const [row] = await service.database.query<{ since: number | null }>(sql`
      select failing_since as since from webhook_endpoint where api_key = ${ws.apiKey} and id = ${endpointId}`)
    return row?.since
  }
  await ws.emit()
  await service.drainJobs()
  const since = await failingSince()
  expect(since).toEqual(expect.any(Number))
  await ws.ok(`${ENDPOINTS}/update`, { endpointId, description: 'fails' })
  expect(await failingSince()).toBe(since)
  await ws.ok(`${ENDPOINTS}/update`, { endpointId, disabled: true })
  expect(await failingSince()).toBeNull()
  await service.drainJobs()
  const told = receiver.received().filter(({ url }) => url === '/other')
  expect(told.map((request) => bodyOf(request).data)).toMatchObject([{ reason: 'manual', failingSince: since }])
})
