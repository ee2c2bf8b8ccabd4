import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openNative } from '../../../test/native-database.ts'
import { freshNativeUrl } from '../../../test/running-service.ts'
import { migrate } from '../migrate.ts'
import { type Database, sql } from './db.ts'
import { tenantTables } from './tenant-tables.ts'
import { exportData, importData } from './transfer.ts'

const open = async (url: string) => {
  const database = await openNative(url)
  onTestFinished(() => database.close())
  return database
}

const NAME = '"Reviews of 2026"'

/** A new database whose search_path names one other schema. */
async function withSchema(): Promise<{ url: string; database: Database }> {
  const url = await freshNativeUrl()
  const name = new URL(url).pathname.slice(1)
  await (await open(url)).script(`create schema ${NAME}; alter database ${name} set search_path = ${NAME}`)
  const database = await open(url)
  await migrate(database)
  return { url, database }
}

const insert = sql`insert into job (api_key, workspace_id, name, payload, run_at) values ('k', 'w', 'nothing', '{}', 0)`

describe.runIf(process.env.TEST_DATABASE === 'postgres')(
  'where the search_path names another schema than public',
  () => {
    test('an export holds its rows, and can be imported where it names public, and back', async () => {
      const { database } = await withSchema()
      const plain = await open(await freshNativeUrl())
      await migrate(plain)
      for (const [from, to] of [
        [database, plain],
        [plain, (await withSchema()).database],
      ] as const) {
        await from.query(insert)
        const lines: string[] = []
        const about = { at: '2026-01-31T00:00:00.000Z', keys: [] }
        await exportData(from, (text) => void lines.push(...text.split('\n').slice(0, -1)), about)
        const rows = await importData(to, Readable.from(lines))
        expect(rows).toBeGreaterThan(0)
        const all = sql`select to_jsonb(job) as job from job order by 1`
        expect(await to.query(all)).toEqual(await from.query(all))
        await to.query(insert)
      }
    })

    test('the tables of a tenant are found there', async () => {
      const { database } = await withSchema()
      expect(await tenantTables(database)).toContain('comment')
    })

    test('a start whose search_path begins with another one than before is refused, and makes no tables', async () => {
      const { url, database } = await withSchema()
      const name = new URL(url).pathname.slice(1)
      await database.script(`create schema later; alter database ${name} set search_path = later, ${NAME}`)
      const restarted = await open(url)
      await expect(migrate(restarted)).rejects.toThrow(`begins with later. Let it begin with ${NAME}.`)
      expect(await restarted.query(sql`select from pg_tables where schemaname = 'later'`)).toEqual([])
    })
  },
)
