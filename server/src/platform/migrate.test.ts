import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freshNativeUrl } from '../../test/running-service.ts'
import { sql } from './db/db.ts'
import { openPostgres } from './db/postgres.ts'
import { migrate } from './migrate.ts'

const { TEST_DATABASE } = process.env

const open = (url: URL) =>
  openPostgres({ url: url.href, poolSize: 2, pipeline: true, statementTimeoutMs: 30_000, onError: () => {} })

/** A database that its administrator made in a way of their own, and that a user of theirs opened. */
async function databaseMade(how: string, user?: string) {
  const name = `made_${randomUUID().replaceAll('-', '')}`
  const url = new URL(await freshNativeUrl())
  const admin = await open(url)
  onTestFinished(() => admin.close())
  await admin.script(`create database ${name} template template0 ${how}`)
  if (user) {
    await admin.script(`create role ${user} login password '${url.password}'`)
    url.username = user
  }
  url.pathname = `/${name}`
  const database = await open(url)
  onTestFinished(async () => {
    await database.close()
    await admin.script(`drop database ${name}`)
    if (user) await admin.script(`drop role ${user}`)
  })
  return { admin, database }
}

const databaseOf = async (language: string) =>
  (await databaseMade(`locale_provider icu icu_locale '${language}'`)).database

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

describe.runIf(TEST_DATABASE === 'postgres')(
  'a database that cannot hold the service is refused with what mends it:',
  () => {
    test.each(['SQL_ASCII', 'LATIN1'])('one with the encoding %s', async (encoding) => {
      const { database } = await databaseMade(`encoding '${encoding}' lc_collate 'C' lc_ctype 'C'`)
      await expect(migrate(database)).rejects.toThrow(`has the encoding ${encoding}. Create it with ENCODING 'UTF8'`)
    })

    test('one in which its user may not create tables', async () => {
      const { admin, database } = await databaseMade('', `user_${randomUUID().replaceAll('-', '')}`)
      const refused = await migrate(database).catch((error: Error) => error.message)
      const [, mend = ''] = /may not create tables in it\. As its administrator, run: (.*)$/.exec(String(refused)) ?? []
      await admin.script(mend)
      await migrate(database)
    })

    test.each([
      ['that takes no writes', 'default_transaction_read_only = on', /takes no writes.*primary instead of a standby/],
      ['whose search_path names no schema', 'search_path = nowhere', /search_path .*: nowhere\. Create one of them/],
    ])('one %s', async (_, setting, said) => {
      const { admin, database } = await databaseMade('')
      const [{ name } = { name: '' }] = await database.query<{ name: string }>(sql`select current_database() as name`)
      await admin.script(`alter database ${name} set ${setting}`)
      const url = new URL(await freshNativeUrl())
      url.pathname = `/${name}`
      const restarted = await open(url)
      await expect(migrate(restarted).finally(() => restarted.close())).rejects.toThrow(said)
    })

    test('one that lets its user open no more connections', async () => {
      const user = `user_${randomUUID().replaceAll('-', '')}`
      const { admin, database } = await databaseMade('', user)
      const [{ name } = { name: '' }] = await database.query<{ name: string }>(sql`select current_database() as name`)
      await admin.script(`alter database ${name} owner to ${user}; alter role ${user} connection limit 1`)
      await expect(migrate(database)).rejects.toThrow(/could not be reached: too many connections for role/)
      await admin.script(`alter database ${name} owner to current_user`)
    })
  },
)

test.runIf(TEST_DATABASE === 'postgres')(
  'a process that starts while another migrates waits for it, past the time limit of statements, and says so',
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
      // Other tests take such locks in databases of their own.
      const held = sql`
        select from pg_locks l join pg_database d on d.oid = l.database
        where l.locktype = 'advisory' and d.datname = current_database()`
      expect(await other.query(held)).toHaveLength(1)
    })
    const told: string[] = []
    await migrate(database, {
      log: { warn: (_about: object, what?: string) => void told.push(`${what}`) },
      toldEveryMs: 500,
    })
    await migrating
    expect(told).toContain('waiting for another process that migrates the database')
  },
)
