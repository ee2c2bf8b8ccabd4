import { expect, test } from 'vitest'
import { addCopies } from '../../../test/measuring/many-recordings.ts'
import { newWorkspace, startService } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { MAX_RECORD_BYTES } from '../../platform/record-size.ts'
import { migratedLocation } from './location.ts'

test('a location keeps fields of the old one as far as both have room in one record', async () => {
  const service = await startService()
  const half = 'x'.repeat(MAX_RECORD_BYTES / 2)
  const newLocation = { id: 2, more: half }
  for (const [old, isKept] of [
    [{ id: 1, old: 'x' }, true],
    [{ id: 1, old: half }, false],
  ] as const) {
    const column = sql`${JSON.stringify(old)}::jsonb`
    const [row] = await service.database.query<{ moved: object }>(sql`
      select ${migratedLocation(column, { newLocation, merge: true })} as moved`)
    expect(row?.moved).toEqual({ id: 2, more: half, ...(isKept && { old: old.old }) })
  }
})

test('a location of more than 256 KiB of JSON is refused', async () => {
  const service = await startService()
  const ws = await newWorkspace(service)
  const newLocation = { id: 2, more: 'x'.repeat(MAX_RECORD_BYTES) }
  const { status, body } = await ws.call('/v1/organizations/documents/locations/update', {
    apiKey: ws.apiKey,
    authToken: ws.keyHeaders['x-service-auth-token'],
    documentId: 'plan',
    migrate: { oldLocation: { id: 1 }, newLocation },
  })
  expect([status, body.error.message]).toEqual([400, 'migrate.newLocation must hold at most 256 KiB of JSON'])
})

test('a location that its records would repeat in more than 32 MiB is refused, and nothing is changed', async () => {
  const ws = await newWorkspace(await startService())
  const place = { organizationId: 'acme', documentId: 'plan', createOrganization: true, createDocument: true }
  const old = (id: string) => ({ location: { id } })
  const comment = { from: { userId: 'ada' }, commentText: 'Hi' }
  const threads = Array.from({ length: 140 }, () => ({ ...old('threads'), commentData: [comment] }))
  const reacted = { ...old('reacted'), annotationId: 'reacted', commentData: [comment] }
  await ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations: [...threads, reacted] })
  const reactions = Array.from({ length: 140 }, () => ({ icon: 'A', from: { userId: 'bob' } }))
  const reaction = { ...place, ...old('reactions'), annotationId: 'reacted', reactions }
  await ws.ok('/v2/reactions/add', reaction)
  const update = (id: string, text: string) =>
    ws.call('/v1/organizations/documents/locations/update', {
      apiKey: ws.apiKey,
      authToken: ws.keyHeaders['x-service-auth-token'],
      documentId: 'plan',
      migrate: { oldLocation: { id }, newLocation: { id: 'new', text } },
    })
  const large = 'x'.repeat(250_000)
  for (const id of ['threads', 'reactions']) {
    const { status, body } = await update(id, large)
    expect([status, body.error.status, body.error.message]).toEqual([
      400,
      'FAILED_PRECONDITION',
      'More than 134 records are at the old location. They would repeat the new one in more than 32 MiB; make it smaller. Nothing was changed.',
    ])
  }
  expect((await update('reacted', large)).status).toBe(200)
  const at = await ws.ok('/v2/commentannotations/get', { organizationId: 'acme', locationIds: ['threads'] })
  expect(at.data).toHaveLength(140)
})

test('a location of more than 100,000 records is refused', async () => {
  const service = await startService()
  const ws = await newWorkspace(service)
  const place = { organizationId: 'acme', documentId: 'plan', createOrganization: true, createDocument: true }
  const location = { id: 1 }
  const recording = { annotationId: 'v', recordingType: 'audio', mode: 'floating', recordedTime: { duration: 1 } }
  await ws.ok('/v2/recordings/add', { ...place, recordings: [{ ...recording, location, attachments: [] }] })
  await addCopies(service.database, ws.apiKey, 100_000)
  const { status, body } = await ws.call('/v1/organizations/documents/locations/update', {
    apiKey: ws.apiKey,
    authToken: ws.keyHeaders['x-service-auth-token'],
    documentId: 'plan',
    migrate: { oldLocation: location, newLocation: { id: 2 } },
  })
  expect([status, body.error.status, body.error.message]).toEqual([
    400,
    'FAILED_PRECONDITION',
    'More than 100000 records are at the old location. So many do not move at once. Nothing was changed.',
  ])
})
