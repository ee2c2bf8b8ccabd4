import { afterAll, beforeAll, expect, test } from 'vitest'
import { scansBy } from '../../../test/measuring/explained.ts'
import { RECORDS_OF_MANY } from '../../../test/measuring/records-of-many.ts'
import { testDatabase } from '../../../test/running-service.ts'
import { type Database, raw, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { migrate } from '../../platform/migrate.ts'

let database: Database

// One large API key beside a hundred small ones, so that the planner takes each for a small one.
beforeAll(async () => {
  database = await testDatabase()
  await migrate(database)
  await database.script(`
    insert into workspace (id, name, owner_id, owner_email, owner_name, token_hash, token_sealed)
      values ('w', 'w', 'w', 'w@example.com', 'w', '', '');
    insert into api_key (id, workspace_id, owner_email, name, type)
      select 'key-' || i, 'w', 'w@example.com', 'key', 'testing' from generate_series(0, 100) as i;
    insert into organization (api_key, key, id)
      select id, '${keyOf('acme')}'::uuid, 'acme' from api_key where workspace_id = 'w';
    create temporary table many as
      select 'key-' || k as api_key, '${keyOf('acme')}'::uuid as organization_key, md5(i::text)::uuid as key
      from generate_series(0, 100) as k cross join generate_series(1, case when k = 0 then 5000 else 20 end) as i;
    ${RECORDS_OF_MANY}
    analyze`)
}, 60_000)
afterAll(() => database.close())

/** How often an index is read for what the deletion of an organization takes out of a table along with it. */
const scans = (table: string, index: RegExp) =>
  scansBy(index, database, (db) =>
    db.query(sql`
      select from ${raw(table)} where ${'key-0'}::text = api_key and ${crypto.randomUUID()}::uuid = organization_key`),
  )

// Indexes that begin with the API key and the organization.
test.each([
  ['document', /^document_pkey$/],
  ['access_grant', /^access_grant_order$/],
  ['user_group_member', /^user_group_member_pkey$/],
  ['notification_preference', /^notification_preference_pkey$/],
  ['comment_participant', /^comment_participant_pkey$/],
  ['reaction', /^reaction_(order|of_annotation|of_document|pkey)$/],
  ['folder', /^folder_of_organization$/],
  ['activity_person', /^activity_person_of_organization$/],
  ['email', /^email_of_organization$/],
])('what an organization has of %s is found without reading that of others', async (table, index) => {
  expect(await scans(table, index)).toBe(1)
})
