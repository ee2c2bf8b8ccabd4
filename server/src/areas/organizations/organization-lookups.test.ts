import { afterAll, beforeAll, expect, test } from 'vitest'
import { scansBy } from '../../../test/measuring/explained.ts'
import { RECORDS_OF_MANY } from '../../../test/measuring/records-of-many.ts'
import { testDatabase } from '../../../test/running-service.ts'
import { type Database, raw, sql } from '../../platform/db/db.ts'
import { migrate } from '../../platform/migrate.ts'

let database: Database

// One large organization beside two thousand small ones in a hundred API keys: on average they have less than one row.
beforeAll(async () => {
  database = await testDatabase()
  await migrate(database)
  await database.script(`
    insert into workspace (id, name, owner_id, owner_email, owner_name, token_hash, token_sealed)
      values ('w', 'w', 'w', 'w@example.com', 'w', '', '');
    create temporary table many as
      select 'key-' || k as api_key, id, substr(encode(sha256(convert_to(id, 'utf8')), 'hex'), 1, 32)::uuid as organization_key,
        md5(k || '-' || i)::uuid as key
      from generate_series(0, 100) as k
      cross join generate_series(1, case when k = 0 then 3000 else 100 end) as i
      cross join lateral (values (k || '-' || case when k > 0 then i / 5 else 0 end)) as o (id);
    insert into api_key (id, workspace_id, owner_email, name, type)
      select distinct api_key, 'w', 'w@example.com', 'key', 'testing' from many;
    insert into organization (api_key, key, id) select distinct api_key, organization_key, id from many;
    ${RECORDS_OF_MANY}
    analyze`)
}, 60_000)
afterAll(() => database.close())

/** How often an index is read for rows of the large organization that the condition chooses. */
const scans = (index: RegExp, table: string, condition: string) =>
  scansBy(index, database, (db) =>
    db.query(sql`
      select ctid
      from ${raw(table)}
      where api_key = ${'key-0'} and organization_key = (${crypto.randomUUID()}::uuid) and ${raw(condition)}`),
  )

const LOOKUPS: [table: string, column: string, index: RegExp][] = [
  ['document', 'key', /^document_pkey$/],
  ['reaction', 'key', /^reaction_pkey$/],
  ['access_grant', 'user_key', /^access_grant_pkey$/],
  ['notification_preference', 'user_key', /^notification_preference_(pkey|of_user)$/],
]

test.each([
  ...LOOKUPS,
  ['comment_annotation', 'key', /^comment_annotation_pkey$/],
  ['comment_participant', 'annotation_key', /^comment_participant_pkey$/],
  ['comment_participant', 'user_key', /^comment_participant_of_user$/],
  ['user_group_member', 'user_key', /^user_group_member_of_user$/],
] as typeof LOOKUPS)('one %s is found by its %s, without reading the organization', async (table, column, index) => {
  expect(await scans(index, table, `${column} = '${crypto.randomUUID()}'`)).toBe(1)
})

test.each(LOOKUPS)('several of %s are found by their %s, without reading it', async (table, column, index) => {
  expect(await scans(index, table, `${column} = any('{${crypto.randomUUID()},${crypto.randomUUID()}}')`)).toBe(1)
})

// A server may keep options of its own beside it.
const told = (column: string) => raw(`'n_distinct=2' = any(${column}.attoptions)`)

test('each table of an organization tells the planner to reckon with large ones', async () => {
  const missing = await database.query(sql`
    select c.relname as name
    from pg_class c
    join pg_attribute k on k.attrelid = c.oid and k.attname = 'api_key'
    left join pg_attribute o on o.attrelid = c.oid and o.attname = 'organization_key'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (o.attname is not null or c.relname in ('organization', 'app_user'))
      and (${told('k')} is not true or o.attname is not null and ${told('o')} is not true)`)
  expect(missing).toEqual([])
})
