import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AnyPage } from '../../../test/answer.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

let service: Service
let ws: TestWorkspace

const ada = { userId: 'ada' }
const KINDS = ['commentannotations', 'reactions', 'recordings', 'notifications']

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  ws = await newWorkspace(service)
  await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
  for (const organizationId of ['acme', 'globex']) {
    await fill({ organizationId, documentId: 'plan' }, { id: 'here' })
    await fill({ organizationId, documentId: 'plan' }, { locationName: 'here' })
    await fill({ organizationId, documentId: 'budget' }, { id: 'here' })
  }
})

/** Adds one record of each kind at a location. */
async function fill(
  place: { organizationId: string; documentId: string },
  location: { id?: string; locationName?: string },
) {
  const annotationId = `${place.documentId} ${location.id ? 'by id' : 'by name'}`
  const data = { ...place, location, annotationId, createOrganization: true, createDocument: true }
  const commentAnnotations = [{ annotationId, location, commentData: [{ from: ada, commentText: 'Hello' }] }]
  await ws.ok('/v2/commentannotations/add', { ...data, commentAnnotations })
  await ws.ok('/v2/reactions/add', { ...data, reactions: [{ reactionId: annotationId, icon: 'HEART', from: ada }] })
  const recording = { recordingType: 'audio', mode: 'thread', recordedTime: { duration: 1 }, attachments: [] }
  await ws.ok('/v2/recordings/add', { ...data, recordings: [{ ...recording, annotationId, location }] })
  await ws.ok('/v2/notifications/add', {
    ...data,
    notificationId: annotationId,
    actionUser: ada,
    displayHeadlineMessageTemplate: 'Hello',
    displayBodyMessage: 'Ada',
  })
}

const call = (operation: string, data: object) =>
  ws.ok(`/v1/organizations/documents/locations/${operation}`, {
    apiKey: ws.apiKey,
    authToken: ws.keyHeaders['x-service-auth-token'],
    documentId: 'plan',
    ...data,
  })

/** The ids that are left of each kind. */
const left = (organizationId: string) =>
  Promise.all(
    KINDS.map(async (kind) => {
      const { data } = (await ws.ok(`/v2/${kind}/get`, { organizationId })) as AnyPage
      return data.map((each) => each.id ?? each.annotationId).sort()
    }),
  )
const ofEachKind = (...ids: string[]) => KINDS.map(() => ids)

describe('locations/data/delete', () => {
  test('covers that document id in every organization of the API key', async () => {
    await call('data/delete', { location: { id: 'here', locationName: 'any' } })
    for (const id of ['acme', 'globex']) expect(await left(id)).toEqual(ofEachKind('budget by id', 'plan by name'))
  })

  test('an organizationId is accepted and narrows', async () => {
    await call('data/delete', { location: { id: 'here' }, organizationId: 'acme' })
    expect(await left('acme')).toEqual(ofEachKind('budget by id', 'plan by name'))
    expect(await left('globex')).toEqual(ofEachKind('budget by id', 'plan by id', 'plan by name'))
  })

  test('a location is identified by id, or by locationName where it has no id', async () => {
    await call('data/delete', { location: { locationName: 'here' } })
    expect(await left('acme')).toEqual(ofEachKind('budget by id', 'plan by id'))
  })

  test('activity records stay: they are the log of it', async () => {
    const records = async () => (await ws.ok('/v2/activities/get', { organizationId: 'acme' })).data
    const before = await records()
    expect(before.length).toBeGreaterThan(0)
    await call('data/delete', { location: { id: 'here' } })
    expect(await records()).toEqual(expect.arrayContaining(before))
  })

  test('each thread is announced as if it were deleted by itself, and nobody is notified', async () => {
    await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
    await call('data/delete', { location: { id: 'here' } })
    for (const organizationId of ['acme', 'globex']) {
      const deletions = { organizationId, actionTypes: ['comment_annotation.delete'] }
      const { data } = await ws.ok('/v2/activities/get', deletions)
      expect(data.map(({ targetEntityId }) => targetEntityId)).toEqual(['plan by id'])
      const { data: notifications } = await ws.ok('/v2/notifications/get', { organizationId })
      expect(notifications.filter(({ actionType }) => actionType === 'deleted')).toEqual([])
    }
    const events = await service.database.query(sql`
      select organization_id as "organizationId", advanced #>> '{data,commentAnnotation,annotationId}' as id
      from event
      where api_key = ${ws.apiKey} and type = 'comment.delete'
      order by organization_id`)
    expect(events).toEqual(['acme', 'globex'].map((organizationId) => ({ organizationId, id: 'plan by id' })))
  })

  test('another API key’s data of the same ids stays', async () => {
    const mine = ws
    ws = await newWorkspace(service)
    await call('data/delete', { location: { id: 'here' } })
    ws = mine
    expect(await left('acme')).toEqual(ofEachKind('budget by id', 'plan by id', 'plan by name'))
  })
})

test('locations/update covers every organization too, and an organizationId narrows it', async () => {
  const migrate = { oldLocation: { id: 'here' }, newLocation: { locationName: 'here' } }
  await call('update', { migrate, organizationId: 'acme' })
  await call('data/delete', { location: { id: 'here' } })
  expect(await left('acme')).toEqual(ofEachKind('budget by id', 'plan by id', 'plan by name'))
  expect(await left('globex')).toEqual(ofEachKind('budget by id', 'plan by name'))
  await call('update', { migrate: { oldLocation: migrate.newLocation, newLocation: { id: 'gone' } } })
  await call('data/delete', { location: { id: 'gone' } })
  for (const id of ['acme', 'globex']) expect(await left(id)).toEqual(ofEachKind('budget by id'))
})

test('locations/update in an organization or document that does not exist is NOT_FOUND, as every write there', async () => {
  for (const nowhere of [{ organizationId: 'nowhere' }, { organizationId: 'acme', documentId: 'nowhere' }]) {
    const { body } = await ws.call('/v1/organizations/documents/locations/update', {
      apiKey: ws.apiKey,
      authToken: ws.keyHeaders['x-service-auth-token'],
      documentId: 'plan',
      ...nowhere,
      migrate: { oldLocation: { id: 'here' }, newLocation: { id: 'there' } },
    })
    expect(body.error?.status).toBe('NOT_FOUND')
  }
})
