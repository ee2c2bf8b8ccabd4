import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAlone, testDatabase } from '../../../test/running-service.ts'
import { type Database, type Db, raw, sql } from './db.ts'
import { statisticsKeeping } from './keep-statistics.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** The rows that the planner knows of; -1: the table was never analyzed. */
const known = async (table: string, db: Db = database) => {
  const [row] = await db.query<{ count: number }>(sql`select reltuples as count from pg_class where relname = ${table}`)
  return Math.round(row?.count ?? 0)
}

const make = (name: string, db = database) =>
  db.script(`
    create table ${name}_top (id int primary key);
    create table ${name}_large (id int references ${name}_top, text text) with (autovacuum_enabled = false);
    insert into ${name}_top values (1)`)

const fill = (name: string) => raw(`insert into ${name}_large select 1, repeat('x', 200) from generate_series(1, 300)`)

test('a table is analyzed within seconds of an import, and is not looked at at every turn', async () => {
  await make('kept')
  let now = 1_000_000
  const source = statisticsKeeping(database.work, { now: () => now })
  await source.work(() => {})
  await database.query(fill('kept'))
  now += 1_000
  await source.work(() => {})
  expect(await known('kept_large')).toBe(-1)
  now += 5_000
  await source.work(() => {})
  expect(await known('kept_large')).toBe(300)
})

test('what was analyzed before its import was committed is analyzed again after it', async () => {
  await make('early')
  await database.script(`
    begin;
    insert into early_large select 1, repeat('x', 200) from generate_series(1, 2000);
    rollback;
    analyze early_large`)
  expect(await known('early_large')).toBe(0)
  await database.query(fill('early'))
  // A session reports what it changed at most once a second (PostgreSQL, "The Cumulative Statistics System").
  await expect
    .poll(
      async () => {
        await statisticsKeeping(database.work, { now: () => 0 }).work(() => {})
        return known('early_large')
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0)
})

test('the workers keep the statistics of every kind of database', async () => {
  // The workers of a shared service may have looked at the tables a moment ago.
  const service = await startAlone()
  await make('worked', service.database)
  await service.database.query(fill('worked'))
  await service.drainJobs()
  expect(await known('worked_large', service.database)).toBe(300)
})
