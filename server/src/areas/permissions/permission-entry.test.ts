import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsInVain } from '../../../test/measuring/explained.ts'
import { testDatabase } from '../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import type { Database } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { migrate } from '../../platform/migrate.ts'
import { grantedPairs } from './permission-entry.ts'

const GRANTS = 2000
const acme = keyOf('acme')
const tenant = { apiKey: 'key' } as ApiKeyTenant

let database: Database
beforeAll(async () => {
  database = await testDatabase()
  await migrate(database)
  await database.script(`
    insert into workspace (id, name, owner_id, owner_email, owner_name, token_hash, token_sealed)
      values ('w', 'w', 'w', 'w@example.com', 'w', '', '');
    insert into api_key (id, workspace_id, owner_email, name, type) values ('key', 'w', 'w@example.com', 'k', 'testing');
    insert into organization (api_key, key, id) values ('key', '${acme}', 'acme');
    insert into app_user (api_key, key, id) values ('key', '${keyOf('iris')}', 'iris');
    insert into document (api_key, organization_key, key, id)
      select 'key', '${acme}', md5(n::text)::uuid, n from generate_series(1, ${GRANTS}) as n;
    insert into access_grant (api_key, organization_key, resource_type, resource_key, user_key)
      select api_key, organization_key, 'document', key, '${keyOf('iris')}' from document`)
}, 60_000)
afterAll(() => database.close())

test('each document that a user was granted is found by its key, also before the planner knows of many', async () => {
  expect(await grantedPairs(database, tenant, acme, ['iris'])).toHaveLength(GRANTS)
  const inVain = await rowsInVain(database, (db) => grantedPairs(db, tenant, acme, ['iris']), {
    plan_cache_mode: 'force_custom_plan',
  })
  expect(inVain).toBeLessThan(GRANTS * 10)
})
