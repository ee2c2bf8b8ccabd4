import { readFile } from 'node:fs/promises'
import { beforeEach, expect, test } from 'vitest'
import { bodyOf, testReceiver } from '../../../test/receiver.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { emitEvents } from '../../../test/webhook-events.ts'
import { sql } from '../../platform/db/db.ts'

let service: Service
let ws: TestWorkspace
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWorkspace(service)
})

const emit = (type = 'comment.add', payloads = [{}]) => emitEvents(service, ws, type, payloads)

const configure = (config: object) =>
  ws.ok('/v2/workspace/webhookconfig/update', { useWebhookService: true, webhookServiceConfig: config })

test('go to both URLs with the literal token, beside advanced ones', async () => {
  const { url, received } = await testReceiver()
  await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
  await ws.ok('/v2/workspace/advancedwebhook/endpoints/create', { url: `${url}/advanced` })
  await configure({
    rawNotificationUrl: `${url}/raw`,
    processedNotificationUrl: `${url}/processed`,
    authToken: 'to:ken',
  })
  await emit('comment.add')
  await service.drainJobs()
  const to = (path: string) => received().find((request) => request.url === path)
  const { webhookId, ...raw } = bodyOf(to('/raw'))
  expect(raw).toEqual({ actionType: 'added', notificationSource: 'comment', platform: 'sdk' })
  expect(bodyOf(to('/processed'))).toEqual({
    actionType: 'added',
    notificationSource: 'comment',
    commentText: 'Hello',
    webhookId,
  })
  expect(webhookId).toBe(to('/advanced')?.headers['webhook-id'])
  for (const path of ['/raw', '/processed']) {
    expect(to(path)?.headers.authorization).toBe('Basic to:ken')
    expect(to(path)?.headers['webhook-signature']).toBeUndefined()
  }
  expect(received()).toHaveLength(3)
})

test('send no Authorization when there is no token', async () => {
  const { url, received } = await testReceiver()
  await configure({ rawNotificationUrl: url })
  await emit()
  await service.drainJobs()
  expect(received()[0]?.headers).not.toHaveProperty('authorization')
})

test('obey their triggers; a type that the map does not mention has its default', async () => {
  const { url, received } = await testReceiver()
  await configure({ rawNotificationUrl: url, triggers: { 'comment.add': false, 'recorder.done': true } })
  const types = [
    'comment.add',
    'comment.update',
    'recorder.done',
    'crdt.update_data',
    'comment_annotation.suggestion_accept',
  ]
  for (const type of types) await emit(type, [{ basic: { type } }] as object[])
  await service.drainJobs()
  expect(
    received()
      .map((request) => bodyOf(request).type)
      .sort(),
  ).toEqual(['comment.update', 'recorder.done'])
})

test('tell of a changed visibility, which advanced ones do not, unless its trigger is off', async () => {
  const { url, received } = await testReceiver()
  await ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
  await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
  await ws.ok('/v2/workspace/advancedwebhook/endpoints/create', { url: `${url}/advanced` })
  await configure({ rawNotificationUrl: `${url}/raw` })
  const place = { organizationId: 'acme', documentId: 'plan' }
  await ws.ok('/v2/commentannotations/add', {
    ...{ ...place, createOrganization: true, createDocument: true },
    commentAnnotations: [{ annotationId: 't', commentData: [{ commentText: 'Hi', from: { userId: 'ada' } }] }],
    triggerNotification: false,
  })
  const show = (...userIds: string[]) =>
    ws.ok('/v2/commentannotations/update', {
      ...{ ...place, annotationIds: ['t'], updatedData: { visibility: { type: 'restricted', userIds } } },
    })
  await show('bob')
  await configure({ triggers: { comment: { accessModeChanged: false } } })
  await show('cyd')
  await service.drainJobs()
  expect(received().map((request) => request.url)).toEqual(['/raw'])
  expect(bodyOf(received()[0])).toMatchObject({
    actionType: 'accessModeChanged',
    notificationSource: 'comment',
    visibility: { type: 'restricted', userIds: ['ada', 'bob'] },
    commentAnnotation: { annotationId: 't' },
  })
})

test('stop when the service is switched off or the URL is emptied', async () => {
  const { url, received } = await testReceiver()
  await configure({ rawNotificationUrl: `${url}/raw`, processedNotificationUrl: `${url}/processed` })
  await configure({ rawNotificationUrl: '' })
  await emit()
  await ws.ok('/v2/workspace/webhookconfig/update', { useWebhookService: false })
  await emit()
  await service.drainJobs()
  expect(received()).toEqual([])
})

test('the migration lets basic webhooks tell of a changed visibility, unless its trigger is stored as false', async () => {
  const { database } = service
  const basicOf = async (triggers: object) => {
    const own = await newWorkspace(service)
    const webhookServiceConfig = { rawNotificationUrl: 'https://example.com/raw', triggers }
    await own.ok('/v2/workspace/webhookconfig/update', { useWebhookService: true, webhookServiceConfig })
    return own.apiKey
  }
  const silent = await basicOf({ 'comment.add': true })
  const on = await basicOf({ accessModeChanged: true })
  const off = await basicOf({ comment: { accessModeChanged: false } })
  const own = sql`id = 'raw' and api_key in (${silent}, ${on}, ${off})`
  // As it was before the migration.
  const type = 'comment_annotation.access_mode_change'
  await database.query(sql`update webhook_endpoint set filter_types = array_remove(filter_types, ${type}) where ${own}`)
  const file = new URL('../../../migrations/0660-access-mode-webhooks.sql', import.meta.url)
  await database.script(await readFile(file, 'utf8'))
  const told = await database.query<{ api_key: string }>(sql`
    select api_key from webhook_endpoint where ${own} and ${type} = any(filter_types)`)
  expect(new Set(told.map((row) => row.api_key))).toEqual(new Set([silent, on]))
})
