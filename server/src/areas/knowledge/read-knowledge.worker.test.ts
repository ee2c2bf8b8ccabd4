import { describe, expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../test/running-service.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { ThreadError } from '../../platform/threads/watched-thread.ts'
import type { Source } from '../../platform/work/worker.ts'
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

/** Reads until nothing is left to read. */
async function drain(reading: Source): Promise<void> {
  for (let count = 1; count > 0; ) count = (await reading.work(() => {})) + ((await reading.settle?.()) ?? 0)
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
  await drain(reading)
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
  // Of those that are begun together, then of each alone.
  const outcomes = ['grown', 'grown', 'read', 'grown']
  let bothHaveBegun = () => {}
  const together = new Promise<void>((resolve) => {
    bothHaveBegun = resolve
  })
  const growing: typeof readFile = async (given) => {
    const outcome = outcomes.shift()
    if (outcomes.length === 2) bothHaveBegun()
    await together
    return outcome === 'grown' ? Promise.reject(grown) : readFile(given)
  }
  await drain(knowledgeReading({ db: database, reads: database, services: app.services }, growing))
  expect(outcomes).toEqual([])
  const statusOf = async (ws: typeof one, sourceId: string) =>
    (await ws.ok('/v2/memory/knowledge/ingest-status', { sourceId })).status
  expect([await statusOf(one, innocent), await statusOf(other, hostile)].sort()).toEqual(['completed', 'failed'])
})

describe('files that take as long as they may', () => {
  test('hold up no file of another API key', async () => {
    const { reading, release, begun, workspace } = await slowReading()
    const [slow, quick] = [await workspace('slow'), await workspace('quick')]
    for (let i = 0; i < 3; i++) await slow.add()
    expect(await reading.work(() => {})).toBe(1)
    for (const name of ['one', 'two']) {
      const sourceId = await quick.add()
      expect([name, await reading.work(() => {})]).toEqual([name, 1])
      await reading.settle?.()
      expect([name, await quick.statusOf(sourceId)]).toEqual([name, 'completed'])
    }
    expect(begun).toEqual(['slow', 'quick', 'quick'])
    release()
    await drain(reading)
  })

  test('of several API keys come after a first file of another, however old they are', async () => {
    const { reading, release, begun, workspace } = await slowReading()
    const [one, other, quick] = [await workspace('slow one'), await workspace('slow other'), await workspace('quick')]
    for (let i = 0; i < 3; i++) for (const each of [one, other]) await each.add()
    expect(await reading.work(() => {})).toBe(2)
    await quick.add()
    release()
    await drain(reading)
    expect(begun.indexOf('quick')).toBe(2)
    expect(begun.slice(3)).toEqual(['slow one', 'slow other', 'slow one', 'slow other'])
  })
})

/** Files begun before `release` whose text begins with slow take until then. */
async function slowReading() {
  const service = await startService()
  const { app, database } = service
  const begun: string[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const slowly: typeof readFile = async (given) => {
    const text = Buffer.from(given.bytes).toString()
    begun.push(text.replace(/ \d+$/, ''))
    if (text.startsWith('slow')) await released
    return readFile(given)
  }
  let count = 0
  return {
    reading: knowledgeReading({ db: database, reads: database, services: app.services }, slowly),
    begun,
    release: () => release(),
    /** An API key whose files hold `text`. */
    async workspace(text: string) {
      const ws = await newWorkspace(service)
      return {
        async add(): Promise<string> {
          const bytes = Buffer.from(`${text} ${count++}`)
          const inline = { ...file, base64: bytes.toString('base64'), fileSize: bytes.length }
          return (await ws.ok('/v2/memory/knowledge/ingest', { source: 'inline', file: inline })).sourceId
        },
        statusOf: async (sourceId: string) => (await ws.ok('/v2/memory/knowledge/ingest-status', { sourceId })).status,
      }
    },
  }
}
