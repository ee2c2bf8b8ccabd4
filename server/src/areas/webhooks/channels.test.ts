import { beforeAll, expect, test } from 'vitest'
import { testReceiver } from '../../../test/receiver.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { newWebhookWorkspace } from '../../../test/webhook-workspace.ts'

const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'

let service: Service
beforeAll(async () => {
  service = await startService()
})

/** A receiver that answers of which documents it got events since it was last asked. */
async function documentReceiver() {
  const { url, received } = await testReceiver()
  let asked = 0
  return {
    url,
    async documents(): Promise<string[]> {
      await service.drainJobs()
      const fresh = received().slice(asked)
      asked += fresh.length
      return fresh.map(({ body }) => JSON.parse(body.toString()).of).sort()
    },
  }
}

const eventsOf = (...documents: string[]) =>
  documents.map((documentId) => ({ organizationId: 'acme', documentId, advanced: { of: documentId } }))

test('channels: those that an endpoint has when the event happens count, whatever it had before', async () => {
  const ws = await newWebhookWorkspace(service)
  const { url, documents } = await documentReceiver()
  const { id: endpointId } = await ws.createEndpoint({ url, channels: ['plan', 'sketch'] })
  const emit = () => ws.emit('comment.add', eventsOf('plan', 'sketch', 'photo'))
  await emit()
  expect(await documents()).toEqual(['plan', 'sketch'])
  const change = (fields: object) => ws.ok(`${ENDPOINTS}/update`, { endpointId, ...fields })
  await change({ channels: ['sketch', 'photo'] })
  await emit()
  expect(await documents()).toEqual(['photo', 'sketch'])
  await change({ description: 'The channels stay.' })
  await emit()
  expect(await documents()).toEqual(['photo', 'sketch'])
  await change({ channels: null })
  await emit()
  expect(await documents()).toEqual(['photo', 'plan', 'sketch'])
  await change({ channels: ['plan'] })
  await emit()
  expect(await documents()).toEqual(['plan'])
})

test('channels: an event that several of them name comes once', async () => {
  const ws = await newWebhookWorkspace(service)
  const { url, documents } = await documentReceiver()
  await ws.createEndpoint({ url, channels: ['plan', 'acme', 'plan'] })
  await ws.emit('comment.add', [
    ...eventsOf('plan'),
    { organizationId: 'same', documentId: 'same', advanced: { of: 'nobody' } },
  ])
  expect(await documents()).toEqual(['plan'])
  await ws.createEndpoint({ url, channels: ['same'] })
  await ws.emit('comment.add', [{ organizationId: 'same', documentId: 'same', advanced: { of: 'same' } }])
  expect(await documents()).toEqual(['same'])
})

test('channels: those of another API key get nothing, nor does an endpoint that is disabled or deleted', async () => {
  const [ws, other] = [await newWebhookWorkspace(service), await newWebhookWorkspace(service)]
  const { url, documents } = await documentReceiver()
  await other.createEndpoint({ url, channels: ['plan'] })
  const { id: disabled } = await ws.createEndpoint({ url, channels: ['plan'] })
  await ws.ok(`${ENDPOINTS}/update`, { endpointId: disabled, disabled: true })
  const { id: deleted } = await ws.createEndpoint({ url, channels: ['plan'] })
  await ws.ok(`${ENDPOINTS}/delete`, { endpointId: deleted })
  await ws.emit('comment.add', eventsOf('plan'))
  expect(await documents()).toEqual([])
  await other.emit('comment.add', eventsOf('plan'))
  expect(await documents()).toEqual(['plan'])
})
