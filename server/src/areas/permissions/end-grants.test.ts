import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { scansBy } from '../../../test/measuring/explained.ts'
import { fillGrants, GENERIC } from '../../../test/measuring/grants-of-many.ts'
import { testDatabase } from '../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Database, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { endGrants } from './end-grants.ts'

const tenant = { apiKey: 'key-0' } as ApiKeyTenant
const acme = keyOf('acme')
const plan = keyOf('plan')

let database: Database

beforeAll(async () => {
  database = await testDatabase()
  await fillGrants(database)
}, 60_000)
afterAll(() => database.close())

test('the grants on documents are found by their documents, and each is ended by its own key', async () => {
  const condition = sql`
    (g.organization_key, g.resource_key) in (select * from unnest(${[acme]}::uuid[], ${[plan]}::uuid[]))
      and g.resource_type = 'document'`
  const scans = (index: RegExp) => scansBy(index, database, (db) => endGrants(db, tenant, condition), GENERIC)
  expect([await scans(/^access_grant_order$/), await scans(/^access_grant_pkey$/)]).toEqual([1, 1])
})

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'a deletion of the organization waits for nobody who waits for it to end grants',
  async () => {
    const ended = await database.transaction(async (deletion) => {
      await deletion.query(sql`select from organization where api_key = ${tenant.apiKey} and key = ${acme} for update`)
      const ending = database.transaction((db) => endGrants(db, tenant, sql`g.organization_key = ${acme}`))
      await vi.waitFor(async () => expect(await waiting()).toHaveLength(1))
      // It fails at once if a grant is locked.
      await deletion.query(sql`select from access_grant where api_key = ${tenant.apiKey} for update nowait`)
      await deletion.query(sql`delete from organization where api_key = ${tenant.apiKey} and key = ${acme}`)
      return { ending }
    })
    expect(await ended.ending).toEqual([])
  },
)

const waiting = () =>
  database.query(sql`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
