import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { gate } from '../../test/gate.ts'
import { freshNativeUrl } from '../../test/running-service.ts'
import { type Database, type Db, raw, sql } from './db/db.ts'
import { openEmbedded } from './db/embedded.ts'
import { openPostgres } from './db/postgres.ts'
import { migrate } from './migrate.ts'

const isPostgres = process.env.TEST_DATABASE === 'postgres'

async function open(url?: string, statementTimeoutMs = 30_000): Promise<Database> {
  const database =
    url === undefined
      ? await openEmbedded({ dataDir: 'memory' })
      : await openPostgres({ url, poolSize: 4, pipeline: true, statementTimeoutMs, onError: () => {} })
  onTestFinished(() => database.close())
  return database
}

/** A folder with these migrations. */
async function migrations(files: Record<string, string>): Promise<URL> {
  const path = await mkdtemp(join(tmpdir(), 'migrations-'))
  onTestFinished(() => rm(path, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text)
  return pathToFileURL(`${path}/`)
}

const TABLE = { '0001-table.sql': 'create table item (id int primary key, word text);' }
const INDEX = {
  ...TABLE,
  '0002-index.sql': `-- outside of a transaction
-- By word; and by id.
create index concurrently item_word on item (word);
create unique index concurrently item_both on item (word, id);`,
}

const indexes = (db: Database) =>
  db.query<{ name: string; valid: boolean }>(sql`
    select indexrelid::regclass::text as name, indisvalid as valid
    from pg_index where indrelid = 'item'::regclass order by name`)
const ALL = ['item_both', 'item_pkey', 'item_word'].map((name) => ({ name, valid: true }))
const unfinished = async (db: Db) =>
  (
    await db.query<{ name: string }>(sql`
      select indexrelid::regclass::text as name from pg_index where not indisvalid order by name`)
  ).map(({ name }) => name)
const recorded = async (db: Database) =>
  (await db.query<{ name: string }>(sql`select name from migration order by name`)).map(({ name }) => name)

test('a migration that fails is named, and leaves nothing', async () => {
  const database = await open(isPostgres ? await freshNativeUrl() : undefined)
  const folder = await migrations({
    ...TABLE,
    '0002-broken.sql': 'create table two (id int); select nothing from item;',
  })
  await expect(migrate(database, { folder })).rejects.toThrow(
    /^The migration 0002-broken\.sql failed: column "nothing"/,
  )
  expect(await recorded(database)).toEqual(['0001-table.sql'])
})

describe('a migration that is marked to run outside of a transaction', () => {
  test('builds its indexes and is recorded, once', async () => {
    const database = await open(isPostgres ? await freshNativeUrl() : undefined)
    const folder = await migrations(INDEX)
    await migrate(database, { folder })
    await migrate(database, { folder })
    expect(await indexes(database)).toEqual(ALL)
    expect(await recorded(database)).toEqual(['0001-table.sql', '0002-index.sql'])
  })

  describe.runIf(isPostgres)('on a server', () => {
    test('may hold nothing else, because half of it would stay', async () => {
      const database = await open(await freshNativeUrl())
      const folder = await migrations({
        ...TABLE,
        '0002-mixed.sql': '-- outside of a transaction\ncreate index concurrently a on item (word); drop table item;',
      })
      await expect(migrate(database, { folder })).rejects.toThrow('0002-mixed.sql runs outside of a transaction')
      expect(await recorded(database)).toEqual(['0001-table.sql'])
    })

    test('drops what an interrupted run left invalid, and builds it again', async () => {
      const database = await open(await freshNativeUrl())
      await migrate(database, { folder: await migrations(TABLE) })
      await database.query(sql`insert into item values (1, 'same'), (2, 'same')`)
      // As a build that has failed leaves it.
      const failing = database.session((db) =>
        db.query(raw('create unique index concurrently item_word on item (word)')),
      )
      await expect(failing).rejects.toMatchObject({ code: '23505' })
      expect(await indexes(database)).toContainEqual({ name: 'item_word', valid: false })
      await migrate(database, { folder: await migrations(INDEX) })
      expect(await indexes(database)).toEqual(ALL)
    })

    test('lets others write meanwhile, past the time limit of statements, and waits for no process that starts', async () => {
      const url = await freshNativeUrl()
      const database = await open(url, 1_000)
      const folder = await migrations(INDEX)
      await migrate(database, { folder: await migrations(TABLE) })
      let release = () => {}
      const begun = gate()
      // The build waits for this transaction, as for any that began before.
      const holding = database.transaction(async (db) => {
        await db.query(sql`set local idle_in_transaction_session_timeout = 0`)
        await db.query(sql`insert into item values (1, 'first')`)
        begun.open()
        await new Promise<void>((resolve) => {
          release = resolve
        })
      })
      await begun.opened
      const [one, two] = [migrate(database, { folder }), migrate(await open(url, 1_000), { folder })]
      await vi.waitFor(async () => expect((await indexes(database)).length).toBe(2), 10_000)
      for (let id = 2; id < 12; id++) {
        await database.query(sql`insert into item values (${id}, 'word')`)
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
      expect(await recorded(database)).toEqual(['0001-table.sql'])
      release()
      await Promise.all([holding, one, two])
      expect(await indexes(database)).toEqual(ALL)
      expect(await database.query(sql`select count(*) as n from item`)).toEqual([{ n: 11 }])
    })

    test('builds the indexes of a partitioned table while its partitions are written', async () => {
      const database = await open(await freshNativeUrl())
      const partitioned = {
        '0001-table.sql': `create table item (id int primary key, word text) partition by range (id);
          create table item_1 partition of item for values from (1) to (1000);
          create table item_rest partition of item default;`,
      }
      await migrate(database, { folder: await migrations(partitioned) })
      let release = () => {}
      const begun = gate()
      const holding = database.transaction(async (db) => {
        await db.query(sql`insert into item values (1, 'first')`)
        begun.open()
        await new Promise<void>((resolve) => {
          release = resolve
        })
      })
      await begun.opened
      const built = migrate(database, { folder: await migrations({ ...INDEX, ...partitioned }) })
      // It waits for that transaction, and nobody waits for it.
      await vi.waitFor(async () => expect(await unfinished(database)).toEqual(['item_1_item_word']), 10_000)
      await database.query(sql`insert into item values (2, 'second')`)
      release()
      await Promise.all([holding, built])
      expect(await indexes(database)).toEqual(ALL)
      expect(await unfinished(database)).toEqual([])
    })

    test('a change of a table gives way until its lock comes free', async () => {
      const url = await freshNativeUrl()
      const database = await open(url)
      await migrate(database, { folder: await migrations(TABLE) })
      let release = () => {}
      const holding = database.transaction(async (db) => {
        await db.query(sql`select * from item`)
        await new Promise<void>((resolve) => {
          release = resolve
        })
      })
      const folder = await migrations({ ...TABLE, '0002-column.sql': 'alter table item add column size int;' })
      const changed = migrate(database, { folder })
      // A reader that comes meanwhile waits for the change no longer than the change waits for its lock.
      await new Promise((resolve) => setTimeout(resolve, 300))
      await database.query(sql`select * from item`)
      release()
      await Promise.all([holding, changed])
      expect(await recorded(database)).toEqual(['0001-table.sql', '0002-column.sql'])
    })
  })
})
