import { expect, test } from 'vitest'
import { schemaDump } from '../../scripts/schema-dump.ts'
import { temporaryDirectory } from '../test/process.ts'
import { type Database, raw, sql } from './platform/db/db.ts'
import { openEmbedded } from './platform/db/embedded.ts'
import { tenantTables } from './platform/db/tenant-tables.ts'
import { migrate } from './platform/migrate.ts'
import { findPreparedDatabase, prepareDatabase } from './prepared-database.ts'

const migrations = (database: Database) => database.query(sql`select name from migration order by name`)

test('a prepared database has every migration, the schema that they make, and no data', {
  timeout: 120_000,
}, async () => {
  await prepareDatabase()
  const { path, remove } = await temporaryDirectory()
  const prepared = await openEmbedded({ dataDir: path, prepared: findPreparedDatabase })
  const migrated = await openEmbedded({ dataDir: 'memory' })
  await migrate(migrated)
  const names = await migrations(prepared)
  expect(names.length).toBeGreaterThan(30)
  expect(names).toEqual(await migrations(migrated))
  await migrate(prepared)
  expect(await schemaDump(prepared)).toBe(await schemaDump(migrated))
  for (const table of await tenantTables(prepared)) {
    expect([table, await prepared.query(sql`select from ${raw(table)} limit 1`)]).toEqual([table, []])
  }
  await Promise.all([prepared.close(), migrated.close()])
  await remove()
})
