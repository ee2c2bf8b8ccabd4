import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import type { JobContext } from '../../platform/work/job.ts'
import { eraseEvents } from './erase-events.ts'

const REPEATED_BYTES = 100_000

test('a batch reads few of the events whose texts are long, though they are stored in little', async () => {
  const service = await startService()
  const ws = await newWorkspace(service)
  const at = { organizationId: 'acme', documentId: 'plan', createOrganization: true, createDocument: true }
  const commentData = [{ from: { userId: 'bob' }, commentText: 'm'.repeat(REPEATED_BYTES) }]
  const commentAnnotations = Array.from({ length: 40 }, () => ({ commentData }))
  await ws.ok('/v2/commentannotations/add', { ...at, commentAnnotations })
  const events = await service.database.query<{ id: string }>(
    sql`select id from event where api_key = ${ws.apiKey} order by id`,
  )
  const context = {
    db: service.database,
    tenant: ws,
    secrets: { hash: (text: string) => text },
  } as unknown as JobContext
  const scope = { userIds: ['ada'], userKeys: [], organizationKeys: null }
  const last = await eraseEvents(context, scope, '')
  const read = events.findIndex(({ id }) => id === last) + 1
  expect(read).toBeGreaterThan(0)
  expect(read * REPEATED_BYTES).toBeLessThan(2 * 1024 * 1024)
})
