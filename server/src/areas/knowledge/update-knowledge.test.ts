import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../test/running-service.ts'
import { untilWaiting } from '../../../test/until-waiting.ts'
import { sql } from '../../platform/db/db.ts'
import { updateKnowledge } from './update-knowledge.ts'

const TEXT = '- A logo must be sharp.\n'
const file = {
  base64: Buffer.from(TEXT).toString('base64'),
  mimeType: 'text/plain',
  fileName: 'policy.md',
  fileSize: TEXT.length,
}

// The embedded database runs one transaction after the other.
test.runIf(process.env.TEST_DATABASE === 'postgres').each([
  { title: 'to the same text answer the same version', texts: ['large', 'large'], outcomes: [2, 2] },
  { title: 'to two texts: one counts, the other is told', texts: ['large', 'round'], outcomes: [2, 'ABORTED'] },
])('two updates at once $title', async ({ texts, outcomes }) => {
  const service = await startService()
  const { database } = service
  const ws = await newWorkspace(service)
  const { sourceId } = await ws.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
  await service.drainJobs()
  const update = async (text: string) => {
    const input = { sourceId, newContent: `- A logo must be ${text}.\n` }
    const { body } = await ws.call('/v2/memory/knowledge/update', input)
    return body.result?.newVersion ?? body.error.status
  }
  const { updates } = await database.transaction(async (db) => {
    await db.query(sql`
      select from knowledge_source where api_key = ${ws.apiKey} and source_id = ${sourceId} for key share`)
    const updates = texts.map(update)
    await untilWaiting(database, 2)
    return { updates }
  })
  expect((await Promise.all(updates)).sort()).toEqual(outcomes)
  const rules = await ws.ok('/v2/memory/knowledge/rules', { sourceId })
  expect(rules).toHaveLength(1)
})

test('others have their turns while the words of a long text are found, before its transaction', async () => {
  const service = await startService()
  let turns = 0
  let next = setImmediate(function turn() {
    turns += 1
    next = setImmediate(turn)
  })
  const newContent = Array.from({ length: 2_000 }, (_, number) => `- ロゴ${number}は鮮明にする。`).join('\n')
  const means = { db: service.database, tenant: { apiKey: 'none' } }
  const prepared = updateKnowledge.declaration.prepare?.({ sourceId: 'none', newContent } as never, means as never)
  await expect(prepared).resolves.toMatchObject({ rules: { length: 2_000 } })
  clearImmediate(next)
  expect(turns).toBeGreaterThan(10)
})

test('an update whose token was withdrawn elsewhere stores nothing', async () => {
  const service = await startService()
  const { database } = service
  const ws = await newWorkspace(service)
  const { sourceId } = await ws.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
  await service.drainJobs()
  await ws.ok('/v2/memory/knowledge/update', { sourceId, newContent: '- A logo must be large.\n' })
  const positions = () => database.query(sql`select next_position from knowledge_source where api_key = ${ws.apiKey}`)
  const before = await positions()

  await database.query(sql`delete from auth_token where api_key = ${ws.apiKey}`)
  const { body } = await ws.call('/v2/memory/knowledge/update', { sourceId, newContent: '- A logo must be round.\n' })
  expect(body.error.status).toBe('PERMISSION_DENIED')
  expect(await positions()).toEqual(before)
})
