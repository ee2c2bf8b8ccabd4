import { expect, test } from 'vitest'
import { rowsInVain } from '../../../test/measuring/explained.ts'
import { newWorkspace, startAlone } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { claimDue } from './claim.ts'

const WAITING = 1_000
const CLAIMED = 300

test('claiming looks emails up one by one, also while the planner takes the queue to be empty', async () => {
  const service = await startAlone()
  const { database } = service
  const ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
  const fill = () =>
    database.query(sql`
      insert into email (api_key, id, organization_key, user_key, person, activities, status, due_at)
      select ${ws.apiKey}, 'email-' || i, key, gen_random_uuid(), '{}', 1, 'waiting', 0
      from organization
      cross join generate_series(1, ${WAITING}::integer) as i
      where api_key = ${ws.apiKey}`)
  await fill()
  await database.query(sql`delete from email where api_key = ${ws.apiKey}`)
  // The table keeps its pages, so that the planner takes a queue of this size to be empty.
  await database.script('vacuum (analyze, truncate off) email')
  await fill()

  const claim = { count: CLAIMED, perKey: CLAIMED, rooms: new Map(), now: Date.now() }
  expect(await rowsInVain(database, (db) => claimDue(db, claim))).toBeLessThan(WAITING)
  const claimed = await database.query(sql`select from email where api_key = ${ws.apiKey} and status = 'sending'`)
  expect(claimed).toHaveLength(CLAIMED)
})
