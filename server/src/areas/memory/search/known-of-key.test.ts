import { expect, test } from 'vitest'
import { newWorkspace, startConfigured } from '../../../../test/running-service.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { createKnownKeys } from './known-of-key.ts'

test('what is known of an API key is read once, and again when the read for the answer says that it has changed', async () => {
  const service = await startConfigured({ EMBEDDER: 'builtin' })
  const { database } = service
  const ws = await newWorkspace(service)
  const tenant = { apiKey: ws.apiKey, workspaceId: ws.id }
  const { secrets, denseSearch } = service.app.services
  // No worker embeds with this model, so only the judgments change what is known.
  const keys = createKnownKeys({ secrets, denseSearch: { ...denseSearch, model: 'another' } })
  let read = 0
  const db: Db = {
    query: (statement) => {
      read++
      return database.query(statement)
    },
  }

  let worked: (boolean | undefined)[] = []
  async function ask(): Promise<{ answer: boolean | undefined; worked: typeof worked; read: number }> {
    ;[worked, read] = [[], 0]
    const { answer } = await keys.confirmed(db, tenant, async ({ vectors }) => {
      worked.push(vectors?.hasChanges)
      const [row] = await database.query<{ stamp: string }>(sql`select ${keys.stamp(tenant)} as stamp`)
      return { answer: vectors?.hasChanges, stamp: row?.stamp ?? '' }
    })
    return { answer, worked, read }
  }

  expect(await ask()).toEqual({ answer: false, worked: [false], read: 1 })
  expect(await ask()).toEqual({ answer: false, worked: [false], read: 0 })
  await ws.ok('/v2/memory/judgments/add', {
    judgments: [{ recordId: 'r', decision: 'approve', reasoning: 'Fine.', actionUser: { userId: 'u', name: 'U' } }],
  })
  expect(await ask()).toEqual({ answer: true, worked: [false, true], read: 1 })
  // After a change it is read first: what changes often would only be worked out twice.
  expect(await ask()).toEqual({ answer: true, worked: [true], read: 1 })
  expect(await ask()).toEqual({ answer: true, worked: [true], read: 0 })
})
