import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../test/running-service.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { ThreadError } from '../../platform/threads/watched-thread.ts'
import { knowledgeReading } from './read-knowledge.worker.ts'
import { readFile } from './reading/read-file.ts'
import { ReadingError } from './reading/reading.ts'

const LEASE_MS = 120_000
const OLD = '- A logo must be sharp.\n'
const NEW = '- Every logo is a vector graphic.\n'
const file = {
  base64: Buffer.from(OLD).toString('base64'),
  mimeType: 'text/plain',
  fileName: 'policy.md',
  fileSize: OLD.length,
}

test('a reader that pauses for longer than its lease overwrites nothing that was stored meanwhile', async () => {
  const service = await startService()
  const { app, clock, database } = service
  const ws = await newWorkspace(service)
  const { sourceId } = await ws.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
  let isPaused = false
  const pausing: Db = {
    async query(statement) {
      if (!isPaused) {
        isPaused = true
        clock.ahead += LEASE_MS
        await service.drainJobs()
        await ws.ok('/v2/memory/knowledge/update', { sourceId, newContent: NEW })
      }
      return database.query(statement)
    },
  }
  const reading = knowledgeReading({ db: database, reads: pausing, services: app.services })
  expect(await reading.work(() => {})).toBe(1)
  expect(isPaused).toBe(true)
  expect(await ws.ok('/v2/memory/knowledge/ingest-status', { sourceId })).toMatchObject({
    status: 'completed',
    extractedRulesCount: 1,
    metadata: { version: 2 },
  })
  expect(await ws.ok('/v2/memory/knowledge/download', { sourceId })).toBe(NEW)
  expect(await ws.ok('/v2/memory/knowledge/rules', { sourceId })).toMatchObject([
    { content: 'Every logo is a vector graphic.' },
  ])
  expect((await ws.ok('/v2/memory/knowledge/search', { query: 'sharp logo' })).results).toMatchObject([
    { text: 'Every logo is a vector graphic.' },
  ])
})

test('a file that four readers have begun and not ended is given up', async () => {
  const service = await startService()
  const ws = await newWorkspace(service)
  const { sourceId } = await ws.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
  await service.database.query(sql`update knowledge_source set attempt = 4 where api_key = ${ws.apiKey}`)
  await service.drainJobs()
  expect(await ws.ok('/v2/memory/knowledge/ingest-status', { sourceId })).toMatchObject({
    status: 'failed',
    failureReason: 'file-unreadable',
  })
})

test('a file that is given up because the process grows is read again alone, where another may be to blame', async () => {
  const service = await startService()
  const { app, database } = service
  const [one, other] = [await newWorkspace(service), await newWorkspace(service)]
  const ingest = async (ws: typeof one) =>
    (await ws.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })).sourceId
  const [innocent, hostile] = [await ingest(one), await ingest(other)]
  const grown = new ReadingError('file-too-large', new ThreadError('growth'))
  // Those that were begun together, then each alone.
  const outcomes = ['grown', 'grown', 'read', 'grown']
  const growing: typeof readFile = (given) => (outcomes.shift() === 'grown' ? Promise.reject(grown) : readFile(given))
  expect(
    await knowledgeReading({ db: database, reads: database, services: app.services }, growing).work(() => {}),
  ).toBe(2)
  const statusOf = async (ws: typeof one, sourceId: string) =>
    (await ws.ok('/v2/memory/knowledge/ingest-status', { sourceId })).status
  expect([await statusOf(one, innocent), await statusOf(other, hostile)].sort()).toEqual(['completed', 'failed'])
})
