import { afterAll, beforeAll, expect, test } from 'vitest'
import { scansBy } from '../../../test/measuring/explained.ts'
import { fillGrants, GENERIC } from '../../../test/measuring/grants-of-many.ts'
import { testDatabase } from '../../../test/running-service.ts'
import type { Database } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import type { JobContext } from '../../platform/work/job.ts'
import { eraseAccess } from './erase-access.ts'

const users = ['ann', 'bob']
const scope = { userIds: users, userKeys: users.map(keyOf), organizationKeys: null }

let database: Database

beforeAll(async () => {
  database = await testDatabase()
  await fillGrants(database)
}, 60_000)
afterAll(() => database.close())

test('the grants of users are found by their users, and each is erased by its own key', async () => {
  const erase = (db: unknown) =>
    eraseAccess({ db, tenant: { apiKey: 'key-0' }, emit: async () => {} } as unknown as JobContext, scope, '')
  const scans = (index: RegExp) => scansBy(index, database, erase, GENERIC)
  expect([await scans(/^access_grant_order$/), await scans(/^access_grant_pkey$/)]).toEqual([0, 2])
})
