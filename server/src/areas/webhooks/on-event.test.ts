import { beforeEach, describe, expect, test } from 'vitest'
import { bodyOf, type ReceivedRequest, testReceiver } from '../../../test/receiver.ts'
import { newWorkspace, type Service, startService } from '../../../test/running-service.ts'
import { emitEvents } from '../../../test/webhook-events.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../test/webhook-workspace.ts'

const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'

let service: Service
let ws: WebhookWorkspace
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWebhookWorkspace(service)
})

const eventsOf = (requests: ReceivedRequest[]) => requests.map((request) => bodyOf(request).event)

describe('subscriptions', () => {
  test('filterTypes: only the listed types; none: all but the opt-in suggestion events', async () => {
    const { url, received } = await testReceiver()
    await ws.createEndpoint({
      url: `${url}/listed`,
      filterTypes: ['comment.add', 'comment_annotation.suggestion_accept'],
    })
    await ws.createEndpoint({ url: `${url}/all` })
    for (const type of ['comment.add', 'comment.update', 'comment_annotation.suggestion_accept', 'huddle.join'])
      await ws.emit(type)
    await service.drainJobs()
    const to = (path: string) => eventsOf(received().filter((request) => request.url === path)).sort()
    expect(to('/listed')).toEqual(['comment.add', 'comment_annotation.suggestion_accept'])
    expect(to('/all')).toEqual(['comment.add', 'comment.update', 'huddle.join'])
  })

  test('an event leaves work for the workers only where an endpoint takes it', async () => {
    const { url } = await testReceiver()
    expect(await ws.emit('comment.add')).toBe(false)
    await ws.createEndpoint({ url, filterTypes: ['comment.add'], channels: ['org-1'] })
    expect(await ws.emit('comment.update')).toBe(false)
    expect(await ws.emit('comment.add', [{ organizationId: 'org-2' }])).toBe(false)
    expect(await ws.emit('comment.add', [{ organizationId: 'org-2' }, { organizationId: 'org-1' }])).toBe(true)
  })

  test('channels: events of the listed organizations and documents only', async () => {
    const { url, received } = await testReceiver()
    await ws.createEndpoint({ url: `${url}/org`, channels: ['org-1'] })
    await ws.createEndpoint({ url: `${url}/doc`, channels: ['doc-2', 'doc-9'] })
    await ws.emit('comment.add', [
      { organizationId: 'org-1', documentId: 'doc-1', advanced: { n: 1 } },
      { organizationId: 'org-2', documentId: 'doc-2', advanced: { n: 2 } },
      { organizationId: 'org-1', documentId: null, advanced: { n: 3 } },
    ])
    await service.drainJobs()
    const to = (path: string) =>
      received()
        .filter((request) => request.url === path)
        .map((request) => bodyOf(request).n)
        .sort()
    expect(to('/org')).toEqual([1, 3])
    expect(to('/doc')).toEqual([2])
  })

  test('channels: operational events reach every endpoint that lists their type', async () => {
    const { url, received } = await testReceiver()
    await ws.createEndpoint({ url, channels: ['org-9'], filterTypes: ['comment.add', 'endpoint.disabled'] })
    await ws.emit('comment.add')
    await ws.emit('endpoint.disabled', [{ organizationId: '', documentId: null }])
    await service.drainJobs()
    expect(eventsOf(received())).toEqual(['endpoint.disabled'])
  })

  test('a disabled endpoint receives nothing; enabled again it receives new events', async () => {
    const { url, received } = await testReceiver()
    const { id } = await ws.createEndpoint({ url, disabled: true })
    await ws.emit('comment.add')
    await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, disabled: false })
    await ws.emit('comment.update')
    await service.drainJobs()
    expect(eventsOf(received())).toEqual(['comment.update'])
  })

  test('an event of another API key goes nowhere', async () => {
    const { url, received } = await testReceiver()
    await ws.createEndpoint({ url })
    await emitEvents(service, await newWorkspace(service), 'comment.add')
    await service.drainJobs()
    expect(received()).toEqual([])
  })
})

/** A receiver that returns the documents of the events that it received since the last call. */
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

const inDocuments = (...documents: string[]) =>
  documents.map((documentId) => ({ organizationId: 'acme', documentId, advanced: { of: documentId } }))

describe('channels', () => {
  test('the channels at the time of the event count, not earlier ones', async () => {
    const { url, documents } = await documentReceiver()
    const { id: endpointId } = await ws.createEndpoint({ url, channels: ['plan', 'sketch'] })
    const emit = () => ws.emit('comment.add', inDocuments('plan', 'sketch', 'photo'))
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

  test('an event in several channels of an endpoint is sent once', async () => {
    const { url, documents } = await documentReceiver()
    await ws.createEndpoint({ url, channels: ['plan', 'acme', 'plan'] })
    await ws.emit('comment.add', [
      ...inDocuments('plan'),
      { organizationId: 'same', documentId: 'same', advanced: { of: 'nobody' } },
    ])
    expect(await documents()).toEqual(['plan'])
    await ws.createEndpoint({ url, channels: ['same'] })
    await ws.emit('comment.add', [{ organizationId: 'same', documentId: 'same', advanced: { of: 'same' } }])
    expect(await documents()).toEqual(['same'])
  })

  test('endpoints of another API key get nothing, nor do disabled or deleted ones', async () => {
    const other = await newWebhookWorkspace(service)
    const { url, documents } = await documentReceiver()
    await other.createEndpoint({ url, channels: ['plan'] })
    const { id: disabled } = await ws.createEndpoint({ url, channels: ['plan'] })
    await ws.ok(`${ENDPOINTS}/update`, { endpointId: disabled, disabled: true })
    const { id: deleted } = await ws.createEndpoint({ url, channels: ['plan'] })
    await ws.ok(`${ENDPOINTS}/delete`, { endpointId: deleted })
    await ws.emit('comment.add', inDocuments('plan'))
    expect(await documents()).toEqual([])
    await other.emit('comment.add', inDocuments('plan'))
    expect(await documents()).toEqual(['plan'])
  })
})
