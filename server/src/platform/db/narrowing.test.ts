import { afterAll, beforeAll, expect, test } from 'vitest'
import { scansBy } from '../../../test/measuring/explained.ts'
import { testDatabase } from '../../../test/running-service.ts'
import { type Database, sql } from './db.ts'
import { narrowing } from './narrowing.ts'

let database: Database

beforeAll(async () => {
  database = await testDatabase()
  // One whole has many parts, thousands have one.
  await database.script(`
    create table part (id bigint primary key, whole bigint not null);
    create index part_of_whole on part (whole);
    insert into part select i, greatest(i, 1000) from generate_series(1, 20000) as i;
    analyze part`)
})
afterAll(() => database.close())

const parts = (ids: number[], narrowed = narrowing(ids)) => sql`
  select id
  from part
  where ${narrowed(sql`whole = ${1_000}::bigint`)} and id = any(${ids}::bigint[])`

test('what is asked for by ids is found by them, not by the index of what it lies in', async () => {
  const scans = (index: RegExp, statement = parts([7, 8])) => scansBy(index, database, (db) => db.query(statement))
  expect(await scans(/part_of_whole/, parts([7, 8], narrowing(undefined)))).toBe(1)
  expect(await scans(/part_of_whole/)).toBe(0)
  expect(await scans(/part_pkey/)).toBe(1)
})

test('ids outside what is asked for are not found', async () => {
  expect(await database.query(parts([7, 1_001]))).toEqual([{ id: 7 }])
})
