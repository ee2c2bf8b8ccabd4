import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksReadForValues } from '../../../../test/measuring/explained.ts'
import { testDatabase } from '../../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Database, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { migrate } from '../../../platform/migrate.ts'
import { readJudgments } from './judgment.ts'

let database: Database
const organizationKey = keyOf('acme')
const tenant = { apiKey: 'key-0' } as ApiKeyTenant

// The planner takes each judgment for one of many documents and organizations, as the same ids are in many API keys.
beforeAll(async () => {
  database = await testDatabase()
  await migrate(database)
  await database.script(`
    insert into workspace (id, name, owner_id, owner_email, owner_name, token_hash, token_sealed)
      values ('w', 'w', 'w', 'w@example.com', 'w', '', '');
    insert into api_key (id, workspace_id, owner_email, name, type)
      select 'key-' || i, 'w', 'w@example.com', 'key', 'testing' from generate_series(0, 200) as i;
    insert into organization (api_key, key, id) select id, '${organizationKey}', 'acme' from api_key;
    insert into organization (api_key, key, id)
      select 'key-0', substr(encode(sha256(convert_to(i::text, 'utf8')), 'hex'), 1, 32)::uuid, i::text
      from generate_series(1, 3000) as i;
    insert into document (api_key, organization_key, key, id)
      select 'key-' || k, '${organizationKey}', md5(i::text)::uuid, i::text
      from generate_series(1, 200) as k cross join generate_series(9991, 10000) as i;
    insert into document (api_key, organization_key, key, id)
      select 'key-0', '${organizationKey}', md5(i::text)::uuid, i::text from generate_series(1, 10000) as i;
    insert into judgment (api_key, key, record_id, change, organization_key, document_key, decision, decision_value,
        reasoning, content, confidence, judge_type, reviewer, created_at, source)
      select 'key-0', md5(i::text)::uuid, i::text, i, '${organizationKey}', md5((9991 + i % 10)::text)::uuid, 'approve', 'approve',
        '', '', 1, 'human', '{}', i, 'thread' from generate_series(1, 10000) as i;
    analyze`)
}, 60_000)
afterAll(() => database.close())

test('the newest judgments of a large organization are read without reading its documents', async () => {
  const newest = {
    condition: sql`j.organization_key = ${organizationKey}::uuid`,
    order: sql`j.created_at desc, j.key desc`,
    limit: 10,
    maxBytes: 1_000_000,
  }
  expect((await readJudgments(database, tenant, newest))[0]).toMatchObject({ recordId: '10000', documentId: '9991' })
  expect(await blocksReadForValues(database, (db) => readJudgments(db, tenant, newest))).toBeLessThan(100)
})
