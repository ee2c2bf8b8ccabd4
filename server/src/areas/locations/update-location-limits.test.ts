import { expect, test } from 'vitest'
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
