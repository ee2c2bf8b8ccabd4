import { afterAll, beforeAll, expect, test } from 'vitest'
import { scansBy } from '../../../test/measuring/explained.ts'
import { testDatabase } from '../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Database, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { migrate } from '../../platform/migrate.ts'
import { endGrants } from './end-grants.ts'

const tenant = { apiKey: 'key-0' } as ApiKeyTenant
const acme = keyOf('acme')
const plan = keyOf('plan')

/** As requests come to plan it. */
const GENERIC = { plan_cache_mode: 'force_generic_plan' }

let database: Database

// By the statistics a document has one grant, so that the index by document seems as good as the primary key.
beforeAll(async () => {
  database = await testDatabase()
  await migrate(database)
  await database.script(`
    insert into workspace (id, name, owner_id, owner_email, owner_name, token_hash, token_sealed)
      values ('w', 'w', 'w', 'w@example.com', 'w', '', '');
    create temporary table many as
      select 'key-' || k as api_key, '${acme}'::uuid as organization_key, md5(i::text)::uuid as key
      from generate_series(0, 10) as k
      cross join generate_series(1, case when k = 0 then 20000 else 100 end) as i;
    insert into api_key (id, workspace_id, owner_email, name, type)
      select distinct api_key, 'w', 'w@example.com', 'key', 'testing' from many;
    insert into organization (api_key, key, id) select distinct api_key, organization_key, 'acme' from many;
    insert into app_user (api_key, key, id) select api_key, key, key::text from many;
    insert into access_grant (api_key, organization_key, resource_type, resource_key, user_key)
      select api_key, organization_key, 'document', key, key from many;
    analyze`)
}, 60_000)
afterAll(() => database.close())

test('the grants on documents are found by their documents, and each is ended by its own key', async () => {
  const condition = sql`
    (g.organization_key, g.resource_key) in (select * from unnest(${[acme]}::uuid[], ${[plan]}::uuid[]))
      and g.resource_type = 'document'`
  const scans = (index: RegExp) => scansBy(index, database, (db) => endGrants(db, tenant, condition), GENERIC)
  expect([await scans(/^access_grant_order$/), await scans(/^access_grant_pkey$/)]).toEqual([1, 1])
})
