import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startPooler } from '../../../test/pooler.ts'
import { freshNativeUrl } from '../../../test/running-service.ts'
import { type Db, sql } from './db.ts'
import { openPostgres } from './postgres.ts'

async function open(url: string, directUrl?: string, onError: (error: Error) => void = () => {}) {
  const options = { poolSize: 2, pipeline: true, statementTimeoutMs: 30_000, onError }
  const database = await openPostgres({ url, directUrl, ...options })
  onTestFinished(() => database.close())
  return database
}

const levelOf = async (db: Db) =>
  (await db.query<{ level: string }>(sql`select current_setting('transaction_isolation') as level`))[0]?.level

describe.runIf(process.env.TEST_DATABASE === 'postgres')('a level of isolation that the administrator has set', () => {
  test.each(['directly', 'behind a pooler'])('is that of no statement and no transaction, %s', async (way) => {
    const url = await freshNativeUrl()
    const name = new URL(url).pathname.slice(1)
    await (await open(url)).script(`alter database ${name} set default_transaction_isolation = 'serializable'`)
    const pooler = await startPooler(url)
    onTestFinished(() => pooler.close())
    const database = way === 'directly' ? await open(url) : await open(pooler.url, url)
    const levels = await Promise.all([
      levelOf(database),
      levelOf(database.checks),
      levelOf(database.work),
      database.transaction(levelOf),
    ])
    expect(levels).toEqual(Array(4).fill('read committed'))
    expect(await database.snapshot(levelOf)).toBe('repeatable read')
  })
  test('a null in a list stays one, whatever the administrator has set of arrays', async () => {
    const url = await freshNativeUrl()
    const name = new URL(url).pathname.slice(1)
    await (await open(url)).script(`alter database ${name} set array_nulls = off`)
    const pooler = await startPooler(url)
    onTestFinished(() => pooler.close())
    for (const database of [await open(url), await open(pooler.url, url)]) {
      const [row] = await database.query(sql`select ${[1, null]}::int[] as numbers`)
      expect(row).toEqual({ numbers: [1, null] })
    }
  })
  test('names of tables come without quotes, whatever the administrator has set of identifiers', async () => {
    const url = await freshNativeUrl()
    const name = new URL(url).pathname.slice(1)
    await (await open(url)).script(`alter database ${name} set quote_all_identifiers = on; create table item ()`)
    const pooler = await startPooler(url)
    onTestFinished(() => pooler.close())
    const item = sql`select 'item'::regclass::text as name`
    for (const database of [await open(url), await open(pooler.url, url)]) {
      expect(await database.query(item)).toEqual([{ name: 'item' }])
      expect(await database.session((db) => db.query(item))).toEqual([{ name: 'item' }])
    }
  })

  test('sessions that are idle stay open, however short a time the administrator has set for them', async () => {
    const url = await freshNativeUrl()
    const name = new URL(url).pathname.slice(1)
    await (await open(url)).script(`alter database ${name} set idle_session_timeout = '50ms'`)
    const errors: Error[] = []
    const database = await open(url, undefined, (error) => errors.push(error))
    await database.listen('channel', () => {})
    await database.query(sql`select 1`)
    await delay(500)
    expect(errors).toEqual([])
  })
})
