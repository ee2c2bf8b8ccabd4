import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../../test/running-service.ts'
import { type Database, sql } from './db.ts'
import { ensureStatistics } from './statistics.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const analyzed = async () => {
  const rows = await database.query<{ name: string }>(sql`
    select relname as name from pg_class where relname like 'sample_%' and relkind = 'r' and reltuples >= 0 order by 1`)
  return rows.map(({ name }) => name)
}

test('a large table that others must be looked up in is analyzed when it never was; no other is', async () => {
  await database.script(`
    create table sample_top (id int primary key);
    create table sample_large (id int references sample_top, text text) with (autovacuum_enabled = false);
    create table sample_small (id int references sample_top) with (autovacuum_enabled = false);
    create table sample_free (text text) with (autovacuum_enabled = false);
    insert into sample_top values (1);
    insert into sample_small values (1);
    insert into sample_large select 1, repeat('x', 200) from generate_series(1, 6000);
    insert into sample_free select repeat('x', 200) from generate_series(1, 6000)`)
  await database.transaction(ensureStatistics)
  expect(await analyzed()).toEqual(['sample_large'])
})
