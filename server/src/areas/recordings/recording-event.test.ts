import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

beforeAll(startService)

test('recorder.done says of its place what comment events say', async () => {
  const service = await startService()
  const ws = await newWorkspace(service)
  const place = { organizationId: 'acme', documentId: 'plan' }
  const organizations = [{ organizationId: 'acme', organizationName: 'Acme', tier: 'gold' }]
  await ws.ok('/v2/organizations/add', { organizations })
  const location = { id: 'page-2' }
  const recording = {
    location,
    recordingType: 'screen',
    mode: 'floating',
    recordedTime: { duration: 1 },
    attachments: [],
  }
  await ws.ok('/v2/recordings/add', { ...place, createDocument: true, recordings: [recording] })
  const commentData = [{ from: { userId: 'ada' }, commentText: 'Hi' }]
  await ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations: [{ location, commentData }] })
  const metadata = await service.database.query(sql`
    select advanced->'data'->'metadata' as advanced, basic->'metadata' as basic
    from event
    where api_key = ${ws.apiKey}
    order by type`)
  const organization = { organizationId: 'acme', organizationName: 'Acme' }
  expect(metadata[1]).toMatchObject({
    advanced: { organization, location, locationId: expect.any(Number) },
    basic: { organizationMetadata: { ...organization, tier: 'gold' }, location },
  })
  expect(metadata[1]).toEqual(metadata[0])
})
