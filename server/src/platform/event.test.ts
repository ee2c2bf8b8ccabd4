import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../test/running-service.ts'
import { type Db, sql } from './db/db.ts'
import { createEmit, type PublicPayload, publicEvent } from './event.ts'

test('events are stored in statements of some 4 MB each, and subscribers see them all at once', async () => {
  const service = await startService()
  const { apiKey, id: workspaceId } = await newWorkspace(service)
  const sizes: number[] = []
  const db: Db = {
    query(statement) {
      sizes.push(JSON.stringify(statement.values).length)
      return service.database.query(statement)
    },
  }
  const seen: number[] = []
  const react = async (_: unknown, payloads: unknown[]) => {
    seen.push(payloads.length)
  }
  const emit = createEmit([{ type: null, react }], {
    ...service.app.services,
    db,
    tenant: { apiKey, workspaceId },
    enqueue: async () => {},
  })
  const body = { text: 'x'.repeat(1024 * 1024) }
  const payload = { organizationId: 'acme', documentId: null, advanced: body, basic: body, processed: body }
  await emit(publicEvent<PublicPayload>('comment.add'), [payload, payload, payload])
  expect(sizes).toHaveLength(2)
  expect(Math.max(...sizes)).toBeLessThan(8 * 1024 * 1024)
  expect(seen).toEqual([3])
  const rows = await service.database.query(sql`select id from event where api_key = ${apiKey}`)
  expect(rows).toHaveLength(3)
})
