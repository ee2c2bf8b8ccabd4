import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsInVain } from '../../../../test/measuring/explained.ts'
import { fillGrants, fillGrantsOfOne, GENERIC, GRANTS_OF_ONE } from '../../../../test/measuring/grants-of-many.ts'
import { testDatabase } from '../../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Database, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { readFacts } from './access-facts.ts'
import { hasFields } from './access-fields.ts'

const tenant = { apiKey: 'key-0' } as ApiKeyTenant
const acme = keyOf('acme')

let database: Database
let documents: string[]
beforeAll(async () => {
  database = await testDatabase()
  await fillGrants(database)
  await fillGrantsOfOne(database)
  documents = (await database.query<{ key: string }>(sql`select key from document limit 20`)).map(({ key }) => key)
}, 60_000)
afterAll(() => database.close())

test('a check reads the grants on its resource, not all those of the user', async () => {
  const checks = documents.map((key) => ({ userKey: keyOf('iris'), type: 'document' as const, key }))
  const facts = await readFacts(database, tenant, acme, checks)
  expect([...facts.values()].map((fact) => fact.grant_type)).toEqual(checks.map(() => 'document'))
  const inVain = await rowsInVain(database, (db) => readFacts(db, tenant, acme, checks), GENERIC)
  expect(inVain).toBeLessThan(GRANTS_OF_ONE)
})

test('so do the access fields of a user on a document', async () => {
  const viewings = documents.map((documentKey) => ({ documentKey, userId: 'iris', context: { access: { team: 'x' } } }))
  expect(await hasFields(database, tenant, acme, viewings)).toEqual(viewings.map(() => false))
  const inVain = await rowsInVain(database, (db) => hasFields(db, tenant, acme, viewings), GENERIC)
  expect(inVain).toBeLessThan(GRANTS_OF_ONE)
})
