import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

let service: Service
let ws: TestWorkspace

const place = { organizationId: 'acme', documentId: 'plan' }

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  ws = await newWorkspace(service)
})

const recording = (annotationId?: string, more: object = {}) => ({
  ...(annotationId !== undefined && { annotationId }),
  recordingType: 'screen',
  mode: 'floating',
  recordedTime: { duration: 3_725_000 },
  attachments: [
    {
      attachmentId: 123456,
      url: 'https://cdn.example/a.webm',
      mimeType: 'video/webm',
      name: 'a.webm',
      type: 'webm',
      size: 42,
    },
  ],
  ...more,
})

const add = (recordings: object[], more: object = {}) =>
  ws.ok('/v2/recordings/add', { ...place, createOrganization: true, createDocument: true, recordings, ...more })

const get = async (more: object = {}) => ws.ok('/v2/recordings/get', { organizationId: 'acme', ...more })

const ids = (recordings: { annotationId: string }[]) => recordings.map(({ annotationId }) => annotationId)

const events = () =>
  service.database.query<{ type: string; advanced: Record<string, unknown>; basic: object; processed: object }>(sql`
    select type, advanced, basic, processed from event where api_key = ${ws.apiKey} order by created_at`)

describe('recordings/add', () => {
  test('answers a map by annotation id of { success, id, message }', async () => {
    const { data } = await add([recording('r1'), recording()])
    expect(data.r1).toEqual({ success: true, id: 'r1', message: 'Added Successfully' })
    const [made = ''] = Object.keys(data).filter((id) => id !== 'r1')
    expect(data[made]).toMatchObject({ success: true, id: made })
  })

  test('an id that exists in the organization is success: false and stays as it is', async () => {
    await add([recording('r1', { displayName: 'first' })])
    const { data } = await add([recording('r1', { displayName: 'second' })], { documentId: 'other' })
    expect(data.r1?.success).toBe(false)
    expect((await get()).data).toMatchObject([{ displayName: 'first', metadata: { documentId: 'plan' } }])
  })

  test('of an id repeated in one request the last occurrence wins, in the order of the first', async () => {
    const { data } = await add([
      recording('a', { displayName: '1' }),
      recording('b'),
      recording('a', { displayName: '2' }),
    ])
    expect(Object.keys(data)).toEqual(['a', 'b'])
    expect((await get()).data.map((each) => each.displayName)).toEqual(['2', ''])
  })

  test('needs an existing organization and document, or the flags that create them', async () => {
    const none = await ws.call('/v2/recordings/add', { ...place, recordings: [recording('r1')] })
    expect([none.status, none.body.error.status]).toEqual([404, 'NOT_FOUND'])
    await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
    const half = await ws.call('/v2/recordings/add', { ...place, recordings: [recording('r1')] })
    expect(half.body.error.message).toContain('document')
    expect((await get()).data).toEqual([])
    await ws.ok('/v2/recordings/add', { ...place, createDocument: true, recordings: [recording('r1')] })
    expect(ids((await get()).data)).toEqual(['r1'])
  })

  test.each([
    [{ recordingType: 'film' }, 'recordings[0].recordingType must be one of audio, video, screen'],
    [{ mode: 'full' }, 'recordings[0].mode must be one of floating, thread'],
    [{ recordedTime: { duration: -1 } }, 'recordings[0].recordedTime.duration must be at least 0'],
    [{ recordedTime: undefined }, 'recordings[0].recordedTime is required'],
    [{ attachments: undefined }, 'recordings[0].attachments is required'],
    [{ from: {} }, 'recordings[0].from.userId is required'],
  ])('a malformed recording %j fails the request with its path', async (change, message) => {
    const answer = await ws.call('/v2/recordings/add', { ...place, recordings: [recording('r1', change)] })
    expect([answer.status, answer.body.error.message]).toEqual([400, message])
  })

  test('emits recorder.done for each, unless triggerNotification is false', async () => {
    await add([recording('quiet')], { triggerNotification: false })
    expect(await events()).toEqual([])
    await add([recording('r1', { from: { userId: 'ada', name: 'Ada' } })])
    const [event] = await events()
    expect(event).toMatchObject({
      type: 'recorder.done',
      advanced: {
        actionType: 'done',
        source: 'recorder',
        platform: 'sdk',
        data: {
          actionUser: { userId: 'ada', name: 'Ada', initial: 'A' },
          recorderId: 'r1',
          from: { userId: 'ada' },
          assets: [
            {
              version: 1,
              url: 'https://cdn.example/a.webm',
              fileName: 'a.webm',
              fileSizeInBytes: 42,
              fileFormat: 'webm',
            },
          ],
          metadata: { apiKey: ws.apiKey, organization: { organizationId: 'acme' }, document: { documentId: 'plan' } },
        },
      },
      basic: { actionType: 'done', notificationSource: 'recorder', metadata: { clientDocumentId: 'plan' } },
      processed: { clientDocumentId: 'plan', id: 'r1', from: { userId: 'ada' } },
    })
  })
})

describe('recordings/get', () => {
  test('answers every field of the specification', async () => {
    await add([recording('r1', { displayName: 'Demo', location: { id: 'page-2' } })])
    const { data, message, pageToken } = await get()
    expect(message).toBe('Recorder annotations retrieved successfully.')
    expect(pageToken).toBeNull()
    expect(data).toEqual([
      {
        type: 'recorder',
        recordingType: 'screen',
        mode: 'floating',
        metadata: { apiKey: ws.apiKey, documentId: 'plan', organizationId: 'acme' },
        recordedTime: { duration: 3_725_000, display: '01:02:05' },
        displayName: 'Demo',
        annotationId: 'r1',
        attachments: recording().attachments,
        latestVersion: 1,
        location: { id: 'page-2' },
        locationId: expect.any(Number),
        createdAt: expect.any(Number),
        lastUpdated: expect.any(Number),
      },
    ])
  })

  test.each([
    [0, '00:00:00'],
    [999, '00:00:00'],
    [59_999, '00:00:59'],
    [3_600_000, '01:00:00'],
    [360_000_000, '100:00:00'],
  ])('display of %d ms is %s when absent', async (duration, display) => {
    await add([recording('r1', { recordedTime: { duration } })])
    expect((await get()).data[0]?.recordedTime).toEqual({ duration, display })
  })

  test('a display that was sent is kept, and is of the form HH:MM:SS', async () => {
    const sent = (display: string) => [recording('r1', { recordedTime: { duration: 1000, display } })]
    await add(sent('00:00:02'))
    for (const display of ['1 second', '', '1:02', '00:60:00', '00:00:02 ']) {
      const { body } = await ws.call('/v2/recordings/update', { ...place, recordings: sent(display) })
      expect(body.error?.message).toMatch(/^recordings\[0\]\.recordedTime\.display must/)
    }
    expect((await get()).data[0]?.recordedTime.display).toBe('00:00:02')
  })

  test('an attachment without an id gets a 6-digit one', async () => {
    await add([recording('r1', { attachments: [{ url: 'https://cdn.example/b.mp4' }] })])
    const attachment = (await get()).data[0]?.attachments[0]
    expect(String(attachment?.attachmentId)).toMatch(/^\d{6}$/)
  })

  test('narrows by document and by ids: an empty list means none, unknown ids are left out', async () => {
    await add([recording('a'), recording('b')])
    await add([recording('c')], { documentId: 'other' })
    expect(ids((await get({ documentId: 'plan' })).data)).toEqual(['a', 'b'])
    expect(ids((await get({ recordingIds: ['c', 'a', 'nobody'] })).data)).toEqual(['a', 'c'])
    expect(ids((await get({ recordingIds: [] })).data)).toEqual([])
  })

  test('an unknown organization or document is an empty result', async () => {
    expect((await get({ organizationId: 'nowhere' })).data).toEqual([])
    expect((await get({ documentId: 'nowhere' })).data).toEqual([])
  })

  test('pages by pageToken, without loss or repetition while recordings are added', async () => {
    await add(['a', 'b', 'c'].map((id) => recording(id)))
    const first = await get({ pageSize: 2 })
    expect(ids(first.data)).toEqual(['a', 'b'])
    await add([recording('d')])
    const second = await get({ pageSize: 2, pageToken: first.pageToken })
    expect(ids(second.data)).toEqual(['c', 'd'])
    expect(second.pageToken).toBeNull()
  })

  test('pageSize is at least 1 and at most 1000', async () => {
    for (const pageSize of [0, 1001, 1.5]) {
      const { body } = await ws.call('/v2/recordings/get', { organizationId: 'acme', pageSize })
      expect(body.error.details.issues[0].path).toBe('pageSize')
    }
  })

  test('a page token of other filters is INVALID_ARGUMENT', async () => {
    await add(['a', 'b'].map((id) => recording(id)))
    const { pageToken } = await get({ pageSize: 1 })
    const answer = await ws.call('/v2/recordings/get', { organizationId: 'acme', documentId: 'plan', pageToken })
    expect(answer.body.error.details.issues[0].path).toBe('pageToken')
  })
})

describe('recordings/update', () => {
  test('into a missing organization or document is NOT_FOUND, as every write that may not create them', async () => {
    await add([recording('r1')])
    for (const nowhere of [{ organizationId: 'nowhere' }, { documentId: 'nowhere' }]) {
      const { body } = await ws.call('/v2/recordings/update', { ...place, ...nowhere, recordings: [recording('r1')] })
      expect(body.error?.status).toBe('NOT_FOUND')
    }
  })

  test('changes what is sent and keeps the rest', async () => {
    await add([recording('r1', { displayName: 'Demo', from: { userId: 'ada' } })])
    const recordings = [{ annotationId: 'r1', recordedTime: { duration: 61_000 }, latestVersion: 2 }]
    const { data } = await ws.ok('/v2/recordings/update', { ...place, recordings })
    expect(data).toEqual({ r1: { success: true, id: 'r1', message: 'Updated Successfully' } })
    expect((await get()).data[0]).toMatchObject({
      displayName: 'Demo',
      latestVersion: 2,
      recordedTime: { duration: 61_000, display: '00:01:01' },
      from: { userId: 'ada' },
      attachments: recording().attachments,
    })
  })

  test('a recording that is not there, or is of another document, is success: false', async () => {
    await add([recording('r1')], { documentId: 'other' })
    await add([])
    const recordings = [{ annotationId: 'r1' }, { annotationId: 'r2' }]
    const { data } = await ws.ok('/v2/recordings/update', { ...place, recordings })
    expect([data.r1?.success, data.r2?.success]).toEqual([false, false])
  })
})

describe('recordings/delete', () => {
  test('deletes for good; what is not there, or of another document, is success: false', async () => {
    await add([recording('a'), recording('b')])
    const wrong = await ws.ok('/v2/recordings/delete', {
      organizationId: 'acme',
      documentId: 'other',
      recordingIds: ['a'],
    })
    expect(wrong.data.a?.success).toBe(false)
    const { data } = await ws.ok('/v2/recordings/delete', { organizationId: 'acme', recordingIds: ['a', 'nobody'] })
    expect(data).toEqual({
      a: { success: true, id: 'a', message: 'Deleted Successfully' },
      nobody: { success: false, id: 'nobody', message: 'Recording not found' },
    })
    expect(ids((await get()).data)).toEqual(['b'])
  })
})

describe('what else happens to recordings', () => {
  test('they go with their document and their organization', async () => {
    await add([recording('a')])
    await add([recording('b')], { documentId: 'other' })
    await ws.ok('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['plan'] })
    expect(ids((await get()).data)).toEqual(['b'])
    await ws.ok('/v2/organizations/delete', { organizationIds: ['acme'] })
    expect((await get()).data).toEqual([])
  })

  test('they go with the data of their location, in every organization', async () => {
    await add([recording('a', { location: { id: 1 } }), recording('b', { location: { id: 2 } }), recording('c')])
    await add([recording('d', { location: { id: '1' } })], { organizationId: 'beta' })
    await ws.ok('/v1/organizations/documents/locations/data/delete', {
      apiKey: ws.apiKey,
      authToken: ws.keyHeaders['x-service-auth-token'],
      documentId: 'plan',
      location: { id: 1 },
    })
    expect(ids((await get()).data)).toEqual(['b', 'c'])
    expect((await get({ organizationId: 'beta' })).data).toEqual([])
  })

  test('they follow their location', async () => {
    await add([recording('a', { location: { id: 1, page: 7 } }), recording('b', { location: { id: 2 } })])
    const authToken = ws.keyHeaders['x-service-auth-token']
    const migrate = { oldLocation: { id: 1 }, newLocation: { id: 3, locationName: 'three' } }
    const body = { apiKey: ws.apiKey, authToken, documentId: 'plan', migrate, merge: true }
    await ws.ok('/v1/organizations/documents/locations/update', body)
    const locations = (await get()).data.map(({ location }) => location)
    expect(locations).toEqual([{ id: 3, locationName: 'three', page: 7 }, { id: 2 }])
  })
})
