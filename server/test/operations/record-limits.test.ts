import { beforeAll, expect, test } from 'vitest'
import { MAX_RECORD_BYTES, OUTGROWN } from '../../src/platform/record-size.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../running-service.ts'

let service: Service
let ws: TestWorkspace

const place = { organizationId: 'acme', documentId: 'plan' }
const large = 'x'.repeat(MAX_RECORD_BYTES)
const half = 'x'.repeat(MAX_RECORD_BYTES / 2)
const ada = { userId: 'ada' }
const recording = { recordingType: 'audio', mode: 'floating', recordedTime: { duration: 1 }, attachments: [] }
const activity = { featureType: 'custom', actionType: 'sign', actionUser: ada, targetEntityId: 'contract' }
const words = { actionUser: ada, displayHeadlineMessageTemplate: 'Hi', displayBodyMessage: 'Body' }

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/documents/add', {
    ...place,
    createOrganization: true,
    documents: [{ documentId: 'plan' }],
  })
  await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true, immutable: false } })
})

const refusal = async (path: string, data: object) => {
  const { status, body } = await ws.call(path, { ...place, ...data })
  expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
  return body.error.message
}

test('notifications/add refuses more than 256 KiB of JSON, not counting to whom it goes', async () => {
  const notifyUsers = Array.from({ length: 900 }, (_, i) => ({
    userId: `${i}`,
    name: 'x'.repeat(200),
    photoUrl: 'x'.repeat(200),
  }))
  const add = { ...words, notifyAll: false, notifyUsers }
  await ws.ok('/v2/notifications/add', { ...place, ...add })
  expect(await refusal('/v2/notifications/add', { ...add, notificationSourceData: { large } })).toBe(
    'Without notifyUsers, the call must hold at most 256 KiB of JSON',
  )
})

const kinds: [area: string, list: string, first: object, second: object][] = [
  [
    'recordings',
    'recordings',
    { annotationId: 'r', transcription: { half } },
    { annotationId: 'r', location: { half } },
  ],
  ['activities', 'activities', { id: 'a', entityData: { half } }, { id: 'a', entityTargetData: { half } }],
  [
    'notifications',
    'notifications',
    { id: 'n', notificationSourceData: { half } },
    { id: 'n', displayBodyMessageTemplateData: { half } },
  ],
]

test.each(kinds)(
  '%s hold at most 256 KiB of JSON each, with what they hold already',
  async (area, list, ...changes) => {
    const [first, second] = changes
    const small = { recordings: recording, activities: activity, notifications: {} }[area]
    if (area === 'notifications')
      await ws.ok('/v2/notifications/add', { ...place, ...words, notificationId: 'n', notifyUsers: [ada] })
    else {
      await ws.ok(`/v2/${area}/add`, { ...place, [list]: [{ ...small, ...first, entityData: {}, transcription: {} }] })
      const tooLarge = { ...small, ...first, transcription: { large }, entityData: { large } }
      expect(await refusal(`/v2/${area}/add`, { [list]: [small, tooLarge] })).toBe(
        `${list}[1] must hold at most 256 KiB of JSON`,
      )
    }
    const tooLarge = { ...first, transcription: { large }, entityData: { large }, notificationSourceData: { large } }
    expect(await refusal(`/v2/${area}/update`, { [list]: [tooLarge] })).toBe(
      `${list}[0] must hold at most 256 KiB of JSON`,
    )
    await ws.ok(`/v2/${area}/update`, { ...place, [list]: [first] })
    const grown = { success: false, message: expect.stringContaining(OUTGROWN) }
    expect(await ws.ok(`/v2/${area}/update`, { ...place, [list]: [second] })).toMatchObject({
      data: { [Object.values(second)[0]]: grown },
    })
  },
)

test('of a bulk update only the items without room for it are left alone', async () => {
  const activities = ['b', 'c'].map((id) => ({ id, ...activity, entityData: { half } }))
  await ws.ok('/v2/activities/add', { ...place, activities })
  const update = [
    { id: 'b', actionIcon: 'no', entityTargetData: { half } },
    { id: 'c', actionIcon: 'pen' },
  ]
  await ws.ok('/v2/activities/update', { organizationId: 'acme', activities: update })
  const icons = await ws.ok('/v2/activities/get', { organizationId: 'acme', activityIds: ['b', 'c'] })
  expect(icons.data.map(({ id, actionIcon }) => [id, actionIcon]).sort()).toEqual([
    ['b', undefined],
    ['c', 'pen'],
  ])

  for (const notificationId of ['o', 'p']) {
    const more = { notificationId, notificationSourceData: { half }, notifyUsers: [ada] }
    await ws.ok('/v2/notifications/add', { ...place, ...words, ...more })
  }
  const readByUserIds = ['ada']
  const notifications = [
    { id: 'o', displayBodyMessageTemplateData: { half }, readByUserIds },
    { id: 'p', readByUserIds },
  ]
  await ws.ok('/v2/notifications/update', { organizationId: 'acme', notifications })
  const inbox = await ws.ok('/v2/notifications/get', { organizationId: 'acme', userId: 'ada' })
  const unread = inbox.data.flatMap(({ id, isUnread }) => (isUnread ? [id] : []))
  expect([unread.includes('o'), unread.includes('p')]).toEqual([true, false])
})
