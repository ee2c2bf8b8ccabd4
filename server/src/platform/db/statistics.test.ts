import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../../test/running-service.ts'
import { type Database, raw, sql } from './db.ts'
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

test('one that has grown tenfold since it was analyzed is so again, and plans that are kept are made anew', async () => {
  await database.script(`
    create table grown_top (id int primary key);
    create table grown_below (id int primary key, top int references grown_top on delete cascade, text text);
    create index grown_below_top on grown_below (top);
    insert into grown_top select generate_series(0, 6000);
    insert into grown_below select 0, 0, 'x'`)
  await database.script('vacuum analyze grown_below')
  const estimate = async () => {
    const [row] = await database.query<{ count: number }>(
      sql`select reltuples as count from pg_class where relname = 'grown_below'`,
    )
    return Math.round(row?.count ?? 0)
  }
  const [prepared, explained] = [
    raw('prepare below as delete from grown_below where top = $1'),
    raw('explain execute below (1)'),
  ]
  const plans = await database.transaction(async (db) => {
    for (const setting of ['plan_cache_mode = force_generic_plan', 'enable_seqscan = on'])
      await db.query(raw(`set local ${setting}`))
    await db.query(prepared)
    const planOf = async () => JSON.stringify(await db.query(explained))
    const before = await planOf()
    await db.query(sql`insert into grown_below select i, i, repeat('x', 200) from generate_series(1, 6000) i`)
    await ensureStatistics(db)
    const after = await planOf()
    await db.query(raw('deallocate below'))
    return { before, after }
  })
  expect(plans.before).toContain('Seq Scan')
  expect(plans.after).toContain('grown_below_top')
  expect(await estimate()).toBe(6001)
  await database.script('delete from grown_below where id > 10')
  await database.transaction(ensureStatistics)
  expect(await estimate()).toBe(6001)
})
