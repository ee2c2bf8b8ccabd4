import { Compile } from 'typebox/compile'
import { beforeAll, expect, test } from 'vitest'
import { bodyOf, testReceiver } from '../../../../test/receiver.ts'
import { type Service, startService } from '../../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../../test/webhook-workspace.ts'
import { MESSAGES, referenceTo, SHARED_BY_MESSAGES } from './message-schema.ts'
import { endpointDisabledEvent, operationalEvent } from './operational-event.ts'

const ada = { userId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', photoUrl: 'https://example.com/ada.png' }
const bob = { userId: 'bob', name: 'Bob' }
const at = { organizationId: 'acme', documentId: 'plan' }
const types = Object.keys(MESSAGES)
const definitions = Object.fromEntries(
  Object.entries(SHARED_BY_MESSAGES).map(([name, schema]) => [referenceTo(name), schema]),
)

let service: Service
beforeAll(async () => {
  service = await startService()
})

/** Does what each type of event is about. */
async function causeAll(ws: WebhookWorkspace): Promise<void> {
  const documents = [{ documentId: 'plan', documentName: 'Plan', team: 'red' }]
  await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', createOrganization: true, documents })
  const annotations = '/v2/commentannotations'
  const commentData = [{ commentId: 1, from: ada, commentText: 'Look', to: [bob] }]
  const suggested = (annotationId: string) => ({ annotationId, commentData, suggestion: { newValue: 2 } })
  const commentAnnotations = [
    {
      annotationId: 't',
      commentData,
      location: { id: 1, locationName: 'Title' },
      context: { a: 1 },
      pageInfo: { title: 'x' },
    },
    suggested('yes'),
    suggested('no'),
  ]
  await ws.ok(`${annotations}/add`, { ...at, commentAnnotations })
  const update = (annotationId: string, change: object) =>
    ws.ok(`${annotations}/update`, { ...at, annotationIds: [annotationId], actionUser: bob, ...change })
  await update('yes', { updatedData: { suggestion: { status: 'accepted' } } })
  await update('no', { updatedData: { suggestion: { status: 'rejected', rejectReason: 'No.' } } })
  for (const updatedData of [
    { status: { id: 'DONE', name: 'Done', type: 'terminal', color: '#00ff00' } },
    { assignedTo: bob },
    { priority: { id: 'P1', name: 'High', color: '#ff0000' } },
    { priority: null },
    { customList: [{ id: 'a', label: 'A' }] },
    { visibility: { type: 'restricted', userIds: ['ada', 'bob'] } },
  ]) {
    await update('t', { updatedData })
  }
  await update('t', { subscribeUsers: [{ userId: 'eve', name: 'Eve' }] })
  await update('t', { unsubscribeUsers: [bob] })
  const inThread = { ...at, annotationId: 't' }
  await ws.ok(`${annotations}/comments/add`, {
    ...inThread,
    commentData: [{ commentId: 2, from: bob, commentText: 'Yes' }],
  })
  await ws.ok(`${annotations}/comments/update`, { ...inThread, commentIds: [2], updatedData: { commentText: 'No' } })
  for (const more of [{ commentId: 2 }, {}]) {
    const reactions = [{ reactionId: `r${Object.keys(more)}`, icon: 'x', from: ada }]
    await ws.ok('/v2/reactions/add', { ...inThread, ...more, reactions })
  }
  await ws.ok('/v2/reactions/delete', { organizationId: 'acme', reactionIds: ['rcommentId', 'r'] })
  await ws.ok(`${annotations}/comments/delete`, { ...inThread, commentIds: [2] })
  await ws.ok(`${annotations}/delete`, { ...at, annotationIds: ['t'] })
  const attachments = [{ url: 'https://example.com/a.mp3', mimeType: 'audio/mp3', name: 'a.mp3', size: 1 }]
  const recording = { recordingType: 'audio', mode: 'floating', recordedTime: { duration: 1 }, attachments }
  await ws.ok('/v2/recordings/add', { ...at, recordings: [{ ...recording, from: ada }, recording] })
  const failed = { endpointId: 'ep', url: 'https://example.com', reason: 'gone' as const, failingSince: null }
  await ws.emit('endpoint.disabled', [endpointDisabledEvent(failed)])
  const exhausted = { messageId: 'm', eventType: 'comment.add', attempts: 3, lastStatus: null, lastError: 'timeout' }
  const data = { ...exhausted, endpointId: 'ep', lastAttemptAt: 1 }
  await ws.emit('message.attempt.exhausted', [operationalEvent('exhausted', at, data)])
}

test.each([
  ['whole', { enableDataProtection: false }],
  ['reduced', { enableDataProtection: true }],
])('every %s message fits what is declared of its type', async (_, config) => {
  const { url, received } = await testReceiver()
  const ws = await newWebhookWorkspace(service)
  await ws.ok('/v2/workspace/advancedwebhookconfig/update', config)
  const { id: endpointId } = await ws.createEndpoint({ url, filterTypes: types })
  await ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
  await causeAll(ws)
  for (const eventType of types) await ws.ok('/v2/workspace/advancedwebhook/endpoints/test', { endpointId, eventType })
  await service.drainJobs()
  const messages = received().map((request) => bodyOf(request) as { event: string; test?: true })
  const sent = new Set(messages.filter((message) => !message.test).map(({ event }) => event))
  expect([...sent].sort()).toEqual([...types].sort())
  for (const message of messages) {
    const validator = Compile(definitions, MESSAGES[message.event]?.body ?? {})
    expect(validator.Errors(message), message.event).toEqual([])
  }
})

test('a message that lacks what its type always has does not fit', () => {
  const validator = Compile(definitions, MESSAGES['comment.add']?.body ?? {})
  const envelope = { event: 'comment.add', webhookId: 'm', actionType: 'add', source: 'comment', platform: 'sdk' }
  const data = {
    commentAnnotation: { annotationId: 't' },
    targetComment: { commentId: 1 },
    metadata: { apiKey: 'k', organizationId: 'o', documentId: 'd' },
  }
  expect(validator.Check({ ...envelope, data })).toBe(true)
  expect(validator.Check({ ...envelope, data: { ...data, targetComment: undefined } })).toBe(false)
  expect(validator.Check({ ...envelope, data: { ...data, commentAnnotation: {} } })).toBe(false)
  expect(validator.Check({ ...envelope, data: { endpointId: 'ep' } })).toBe(false)
  expect(validator.Check({ ...envelope, test: true, data: { endpointId: 'ep' } })).toBe(true)
})
