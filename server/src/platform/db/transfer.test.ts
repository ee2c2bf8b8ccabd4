import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { linesOf } from '../lines.ts'
import { type Database, type Db, raw, sql } from './db.ts'
import { openEmbedded } from './embedded.ts'
import { exportData, importData } from './transfer.ts'

const SCHEMA = `
  create table migration (name text primary key);
  insert into migration values ('0001-first.sql');
  create table "Parent" (id bigint generated always as identity primary key, doc jsonb, bytes bytea, tags text[],
    big bigint, size int generated always as (length(doc::text)) stored);
  create table child (id int primary key, parent bigint references "Parent" not null, at timestamptz default now());`

const ABOUT = { at: '2026-01-31T00:00:00.000Z', keys: ['k1'] }

const opened: Database[] = []
const open = async (more = '') => {
  const database = await openEmbedded({ dataDir: 'memory' })
  opened.push(database)
  await database.script(SCHEMA + more)
  return database
}
const lines: string[] = []
let source: Database
beforeAll(async () => {
  source = await open(`
    insert into "Parent" (doc, bytes, tags, big)
      select '{"__proto__": [1], "text": "[\\n"}', '\\x00ff', '{a,null,"b,"}', 9223372036854775807 from generate_series(1, 1200);
    insert into child select n, 1201 - n from generate_series(1, 1200) n;`)
  await exportData(source, (text) => void lines.push(...text.split('\n').slice(0, -1)), ABOUT)
})
afterAll(() => Promise.all(opened.map((database) => database.close())))

const everything = sql`
  select md5(string_agg(p::text || c::text, ';' order by p.id)) as hash, count(*) as n from "Parent" p join child c on c.parent = p.id`

it('moves every row, and new ids go on after the old', async () => {
  const target = await open(`insert into "Parent" (doc) values ('1')`)
  await importData(target, Readable.from(lines))
  expect(await target.query(everything)).toEqual(await source.query(everything))
  const [next] = await target.query<{ id: number }>(sql`insert into "Parent" default values returning id`)
  expect(next?.id).toBe(1201)
})

it('moves partitioned tables whole, whatever partitions there are', async () => {
  const partitioned = (parts: string) => `
    create table log (id int primary key, word text) partition by range (id);
    create table log_rest partition of log default; ${parts}`
  const full = await open(
    partitioned(`
    create table log_w1 partition of log for values from (0) to (10);
    insert into log select n, 'word ' || n from generate_series(5, 15) n;`),
  )
  const exported: string[] = []
  await exportData(full, (text) => void exported.push(...text.split('\n').slice(0, -1)), ABOUT)
  const target = await open(partitioned('create table log_w7 partition of log for values from (12) to (14);'))
  await importData(target, Readable.from(exported))
  const log = sql`select id, word from log order by id`
  expect(await target.query(log)).toEqual(await full.query(log))
  expect(await target.query(sql`select id from log_w7 order by id`)).toEqual([{ id: 12 }, { id: 13 }])
})

it.each([
  ['without its beginning', () => lines.slice(2)],
  ['of which only the end is left', () => lines.slice(-1)],
  ['whose beginning is cut', () => ['["about",{', ...lines.slice(1)]],
  ['with a row that is cut', () => [...lines.slice(0, 3), '{"id":', ...lines.slice(4)]],
  ['with a row twice', () => [...lines.slice(0, 4), ...lines.slice(3)]],
  ['that is a packed backup', () => linesOf(Readable.from([gzipSync(lines.join('\n'))]))],
  ['with a mark that is cut', () => [...lines.slice(0, 2), '["table"', ...lines.slice(3)]],
])('refuses an export %s, and leaves what was there', async (_, damaged) => {
  const target = await open(`insert into "Parent" (doc) values ('1')`)
  await expect(importData(target, Readable.from(damaged()))).rejects.toThrow('or it is damaged; nothing was changed')
  expect(await target.query(sql`select doc from "Parent"`)).toEqual([{ doc: 1 }])
})

it('says that others write meanwhile, not that the export is cut short: it can be read only once', async () => {
  const target = await open(`insert into "Parent" (doc) values ('1')`)
  const collide = (db: Db) => db.query(raw("do 'begin raise deadlock_detected; end'")).then(() => {})
  await expect(importData(target, Readable.from(lines), collide)).rejects.toThrow('Others write to the database')
  expect(await target.query(sql`select doc from "Parent"`)).toEqual([{ doc: 1 }])
})

it('changes nothing when the export is cut short or has other migrations', async () => {
  const target = await open(`insert into "Parent" (doc) values ('1')`)
  const cut = importData(target, Readable.from(lines.slice(0, -1)))
  await expect(cut).rejects.toThrow('not complete')
  await target.script(`insert into migration values ('0002-second.sql')`)
  const foreign = importData(target, Readable.from(lines))
  await expect(foreign).rejects.toThrow('other migrations')
  expect(await target.query(sql`select doc from "Parent"`)).toEqual([{ doc: 1 }])
})

it('says that nothing was changed where the disk has no room, and leaves what was there', async () => {
  const target = await open(`insert into "Parent" (doc) values ('1');
    create function disk_is_full() returns trigger language plpgsql as $$
    begin
      raise exception 'could not extend file' using errcode = 'disk_full';
    end $$;
    create trigger disk_is_full before insert on child for each row execute function disk_is_full();
    alter table child enable always trigger disk_is_full;`)
  const full = 'The disk of the database is full: could not extend file. Nothing was changed.'
  await expect(importData(target, Readable.from(lines))).rejects.toThrow(full)
  expect(await target.query(sql`select doc from "Parent"`)).toEqual([{ doc: 1 }])
})

it('gives no id out again after a refused import of fewer rows', async () => {
  const target = await open(`insert into "Parent" (big) select n from generate_series(1, 2000) n`)
  const ofOtherKeys = () => Promise.reject(new Error('sealed with other keys'))
  await expect(importData(target, Readable.from(lines), ofOtherKeys)).rejects.toThrow('sealed with other keys')
  const [next] = await target.query<{ id: number }>(sql`insert into "Parent" default values returning id`)
  expect(next?.id).toBeGreaterThan(2000)
})

it('hands over a bounded part at a time, whatever the rows', async () => {
  const database =
    await open(`insert into "Parent" (tags) select array[repeat('x', 300000)] from generate_series(1, 30);
    insert into "Parent" (big) select n from generate_series(1, 5000) n;`)
  const parts: number[] = []
  await exportData(database, (text) => void parts.push(text.length), ABOUT)
  expect(Math.max(...parts)).toBeLessThan(1_500_000)
  expect(parts.length).toBeLessThan(30)
})
