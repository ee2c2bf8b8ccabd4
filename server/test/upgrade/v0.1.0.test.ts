import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { precedent } from '../../../cli/test/command-line.ts'
import { schemaDump } from '../../../scripts/schema-dump.ts'
import { type Database, sql } from '../../src/platform/db/db.ts'
import { openPostgres } from '../../src/platform/db/postgres.ts'
import { importData } from '../../src/platform/db/transfer.ts'
import { linesOf } from '../../src/platform/lines.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { repository } from '../architecture/source.ts'
import { buildOnce, type ServerProcess, startProcess } from '../process.ts'
import { freshNativeUrl, SECRET_KEYS } from '../running-service.ts'

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
/** What the API of v0.1.0 wrote, and what it was told: `npm run export` of that version. */
const DATA = join(repository, 'compatibility/v0.1.0.data.jsonl')

interface Credentials {
  workspaceId: string
  workspaceAuthToken: string
  apiKey: string
  authToken: string
  endpointId: string
  secret: string
  log: { count: number; head: string }
}

/** A database as v0.1.0 has left it. */
async function releasedDatabase(url: string): Promise<Database> {
  const database = await openPostgres({
    url,
    poolSize: 4,
    pipeline: true,
    statementTimeoutMs: 30_000,
    onError: () => {},
  })
  const [first = ''] = (await readFile(DATA, 'utf8')).split('\n', 1)
  const names: string[] = JSON.parse(first)[1].split(' ')
  await migrate(database, { isDue: (name) => names.includes(name) })
  await importData(database, linesOf(createReadStream(DATA)))
  return database
}

describe.runIf(process.env.TEST_DATABASE === 'postgres')('a database of v0.1.0', { timeout: 120_000 }, () => {
  let known: Credentials
  let database: Database
  let server: ServerProcess
  const acknowledged: string[] = []
  const faults: string[] = []
  let acknowledgedBefore = 0

  beforeAll(async () => {
    await buildOnce()
    known = JSON.parse(await readFile(join(repository, 'compatibility/v0.1.0.credentials.json'), 'utf8'))
    const url = await freshNativeUrl()
    database = await releasedDatabase(url)
    const writer = startWriter(url)
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(20), 60_000)
    acknowledgedBefore = acknowledged.length
    const settings = { DATABASE_URL: url, SECRET_KEYS }
    const migrated = await precedent(['migrate'], settings)
    if (migrated.code !== 0) throw new Error(migrated.errors)
    // The old processes go on for a while, also beside a new one.
    server = await startProcess(settings)
    const enough = acknowledged.length + 20
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(enough), 60_000)
    writer.kill('SIGTERM')
    await once(writer, 'close')
  }, 300_000)
  afterAll(async () => {
    await server?.stop()
    await database?.close()
  })

  function startWriter(url: string): ChildProcess {
    const path = new URL('./v0.1.0.writer.ts', import.meta.url).pathname
    const args = ['--import', TSX, path, url, known.apiKey]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const read = async () => {
      for await (const line of linesOf(child.stdout)) {
        const { id, fault } = JSON.parse(line)
        if (fault === undefined) acknowledged.push(id)
        else faults.push(`${id}: ${fault}`)
      }
    }
    read().catch((error) => faults.push(String(error)))
    return child
  }

  const ok = async (path: string, data: object) => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-service-api-key': known.apiKey,
        'x-service-auth-token': known.authToken,
      },
      body: JSON.stringify({ data }),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(text)
    return JSON.parse(text).result
  }

  test('is migrated while processes of v0.1.0 read and write, and none of their statements fails', () => {
    expect(faults).toEqual([])
    expect(acknowledgedBefore).toBeGreaterThan(20)
    expect(acknowledged.length).toBeGreaterThan(acknowledgedBefore + 20)
  })

  test('then has the schema of a new one', async () => {
    const fresh = await openPostgres({
      url: await freshNativeUrl(),
      poolSize: 1,
      pipeline: true,
      statementTimeoutMs: 30_000,
      onError: () => {},
    })
    await migrate(fresh)
    // The order of columns depends on that of the migrations.
    const linesIn = async (each: Database) => (await schemaDump(each)).replaceAll(/,$/gm, '').split('\n').sort()
    expect(await linesIn(database)).toEqual(await linesIn(fresh))
    await fresh.close()
  })

  test('keeps every acknowledged write', async () => {
    const rows = await database.query<{ id: string }>(sql`
      select record_id as id from judgment where reasoning = 'Changed as ' || record_id`)
    const there = new Set(rows.map(({ id }) => id))
    expect(acknowledged.filter((id) => !there.has(id))).toEqual([])
  })

  test('keeps what the API of v0.1.0 wrote, and its credentials', async () => {
    const { data } = await ok('/v2/commentannotations/comments/get', {
      organizationId: 'acme',
      documentId: 'plan',
      annotationId: 'thread-1',
    })
    expect(data.map(({ commentText }: { commentText: string }) => commentText)).toEqual(
      expect.arrayContaining(['Comment 0 of thread 1', 'Comment 2 of thread 1']),
    )
    const users = await ok('/v2/users/get', { organizationId: 'acme' })
    expect(JSON.stringify(users)).toContain('eve@example.com')
    const { results } = await ok('/v2/memory/search', { query: 'sharp logo number 30', limit: 5 })
    expect(results.length).toBeGreaterThan(0)
  })

  test('keeps its sealed secrets and its chain of activities', async () => {
    const { data } = await ok('/v2/workspace/advancedwebhook/endpoints/secret/get', { endpointId: known.endpointId })
    expect(data.secret).toBe(known.secret)
    const verified = await ok('/v2/activities/verify', { organizationId: 'acme', anchor: known.log })
    expect(verified.data).toMatchObject({ valid: true })
  })

  test('can be restored from an export of v0.1.0, which is brought up to date', async () => {
    const settings = { DATABASE_URL: await freshNativeUrl(), SECRET_KEYS }
    const { code, errors } = await precedent(['restore', DATA], settings)
    expect([code, errors]).toEqual([0, ''])
  })
})
