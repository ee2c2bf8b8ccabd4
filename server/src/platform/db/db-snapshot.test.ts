import { existsSync, readdirSync } from 'node:fs'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../../test/process.ts'
import { freshNativeUrl } from '../../../test/running-service.ts'
import { toApiError } from '../http/errors/to-api-error.ts'
import { type Database, raw, sql } from './db.ts'
import { openEmbedded } from './embedded.ts'
import { openPostgres } from './postgres.ts'
import { exportData, importData } from './transfer.ts'

const isPostgres = process.env.TEST_DATABASE === 'postgres'
const server = (url: string) =>
  openPostgres({ url, poolSize: 4, pipeline: true, statementTimeoutMs: 1_000, onError: () => {} })

async function open(): Promise<{ database: Database; dataDir: string }> {
  const { path, remove } = await temporaryDirectory()
  const dataDir = join(path, 'data')
  const database = isPostgres ? await server(await freshNativeUrl()) : await openEmbedded({ dataDir })
  onTestFinished(async () => {
    await database.close()
    await remove()
  })
  await database.script('create table item (id int primary key); insert into item select generate_series(1, 100)')
  return { database, dataDir }
}

const snapshotsIn = (dataDir: string) =>
  existsSync(dataDir) ? readdirSync(dataDir).filter((name) => name.startsWith('postgres.unfinished-copy-')) : []

const count = sql`select count(*) as n from item`

test('a snapshot shows one moment, while others write, past the time limit of statements', async () => {
  const { database, dataDir } = await open()
  await database.snapshot(async (db) => {
    expect(await db.query(count)).toEqual([{ n: 100 }])
    await database.query(sql`insert into item values (101)`)
    await database.transaction((other) => other.query(sql`delete from item where id < 50`))
    await db.query(sql`select pg_sleep(1.5)`)
    expect(await db.query(count)).toEqual([{ n: 100 }])
    expect(snapshotsIn(dataDir)).toHaveLength(isPostgres ? 0 : 1)
  })
  expect(snapshotsIn(dataDir)).toEqual([])
  expect(await database.query(count)).toEqual([{ n: 52 }])
})

test.skipIf(isPostgres)('a snapshot that the disk has no room for is refused, and says how much it needs', async () => {
  const { database, dataDir } = await open()
  const sparse = join(dataDir, 'postgres/sparse')
  await writeFile(sparse, '')
  await truncate(sparse, 2 ** 42)
  const error: unknown = await database.snapshot(async () => {}).catch((refusal: unknown) => refusal)
  expect(toApiError(error)).toMatchObject({
    status: 'UNAVAILABLE',
    message: expect.stringMatching(/^A copy of the database needs 419\d{4} MiB of its disk, where \d+ MiB are free\./),
  })
  expect(snapshotsIn(dataDir)).toEqual([])
  expect(await database.query(count)).toEqual([{ n: 100 }])
})

test.skipIf(isPostgres)('what a killed process left of a snapshot is deleted at the next start', async () => {
  const { path, remove } = await temporaryDirectory()
  onTestFinished(remove)
  await mkdir(join(path, 'postgres.unfinished-copy-abc'))
  await writeFile(join(path, 'postgres.unfinished-copy-abc', 'file'), 'x')
  await (await openEmbedded({ dataDir: path })).close()
  expect(snapshotsIn(path)).toEqual([])
})

test.skipIf(isPostgres)(
  'the last that is asked of a database leaves its directory to others while it is read',
  async () => {
    const { database, dataDir } = await open()
    await database.snapshot(
      async (db) => {
        const other = await openEmbedded({ dataDir })
        await other.query(sql`delete from item`)
        expect(await db.query(count)).toEqual([{ n: 100 }])
        await other.close()
      },
      { isLast: true },
    )
    expect(snapshotsIn(dataDir)).toEqual([])
    await expect(database.query(count)).rejects.toThrow('closed')
  },
)

test.runIf(isPostgres)(
  'a user that owns the tables and nothing else imports them, and foreign keys are checked',
  async () => {
    const url = new URL(await freshNativeUrl())
    const admin = await server(url.href)
    const role = `owner_${Date.now()}`
    await admin.script(`create role ${role} login password 'secret'; grant all on schema public to ${role}`)
    const [user, password] = [url.username, url.password]
    Object.assign(url, { username: role, password: 'secret' })
    const database = await server(url.href)
    onTestFinished(async () => {
      await database.close()
      await admin.script(`drop owned by ${role}; drop role ${role}`)
      await admin.close()
      Object.assign(url, { username: user, password })
    })
    await database.script(`
    create table migration (name text primary key);
    create table b_parent (id int primary key);
    create table a_child (id int primary key, parent int not null references b_parent);
    insert into b_parent values (1);
    insert into a_child values (7, 1);`)
    const lines: string[] = []
    await exportData(database, (text) => void lines.push(...text.split('\n').slice(0, -1)), { at: '', keys: [] })
    const feed = async function* (all: string[]) {
      yield* all
    }
    expect(await importData(database, feed(lines))).toBe(2)
    expect(await database.query(sql`select id, parent from a_child`)).toEqual([{ id: 7, parent: 1 }])
    const orphaned = lines.map((line) => line.replace('"parent": 1', '"parent": 2'))
    await expect(importData(database, feed(orphaned))).rejects.toMatchObject({ cause: { code: '23503' } })
    await expect(database.query(raw('insert into a_child values (8, 2)'))).rejects.toMatchObject({ code: '23503' })
  },
)
