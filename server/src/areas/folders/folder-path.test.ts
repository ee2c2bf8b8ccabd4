import { expect, test } from 'vitest'
import { rowsInVain } from '../../../test/measuring/explained.ts'
import { newWorkspace, startAlone } from '../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { readPaths } from './folder-path.ts'

test('paths are read in one pass where folders have no statistics yet', async () => {
  const service = await startAlone()
  const ws = await newWorkspace(service)
  const { apiKey } = ws
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'o' }] })
  await service.database.query(sql`
    insert into folder (api_key, organization_key, key, id, path)
    select ${apiKey}, ${keyOf('o')}, md5(n::text)::uuid, n, array[]::uuid[] from generate_series(1, 2000) n`)
  const keys = Array.from({ length: 200 }, (_, n) => keyOf(String(n)))
  const read = (db: Db) => readPaths(db, { apiKey } as ApiKeyTenant, keyOf('o'), keys)
  expect(await rowsInVain(service.database, read)).toBeLessThan(5_000)
})
