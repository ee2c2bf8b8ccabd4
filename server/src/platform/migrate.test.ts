import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freshNativeUrl } from '../../test/running-service.ts'
import { sql } from './db/db.ts'
import { openPostgres } from './db/postgres.ts'
import { migrate } from './migrate.ts'

const { TEST_DATABASE } = process.env

/** A database that sorts text by the rules of a language. */
async function databaseOf(language: string) {
  const open = (url: URL) =>
    openPostgres({ url: url.href, poolSize: 2, pipeline: true, statementTimeoutMs: 30_000, onError: () => {} })
  const name = `sorted_${randomUUID().replaceAll('-', '')}`
  const server = await freshNativeUrl()
  const admin = await open(new URL(server))
  onTestFinished(() => admin.close())
  await admin.script(`create database ${name} template template0 locale_provider icu icu_locale '${language}'`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const database = await open(url)
  onTestFinished(async () => {
    await database.close()
    await admin.script(`drop database ${name}`)
  })
  return database
}

describe.runIf(TEST_DATABASE === 'postgres')('a database that sorts text by the rules of a language', () => {
  test.each(['lt', 'cs', 'da', 'et'])('%s, by which ids are out of order, is refused', async (language) => {
    await expect(migrate(await databaseOf(language))).rejects.toThrow(
      new RegExp(`\\(${language}\\).*LC_COLLATE 'C' TEMPLATE template0`),
    )
  })

  test.each(['en-US', 'de'])('%s, by which they are in order, is migrated', async (language) => {
    await migrate(await databaseOf(language))
  })
})

test.runIf(TEST_DATABASE === 'postgres')(
  'a process that starts while another migrates waits for it, past the time limit of statements',
  async () => {
    const options = { url: await freshNativeUrl(), poolSize: 2, pipeline: true, onError: () => {} }
    const [other, database] = await Promise.all([
      openPostgres({ ...options, statementTimeoutMs: 0 }),
      openPostgres({ ...options, statementTimeoutMs: 200 }),
    ])
    onTestFinished(async () => {
      await Promise.all([other.close(), database.close()])
    })
    const migrating = other.script('select pg_advisory_xact_lock(727001); select pg_sleep(2)')
    await vi.waitFor(async () => {
      expect(await other.query(sql`select 1 as one from pg_locks where locktype = 'advisory'`)).toHaveLength(1)
    })
    await migrate(database)
    await migrating
  },
)
