import { expect, onTestFinished, test } from 'vitest'
import { freshNativeUrl } from '../../../test/running-service.ts'
import { sql } from './db.ts'
import { openPostgres } from './postgres.ts'

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'a limit for locks that the administrator of the database has set fails nobody who waits for one',
  async () => {
    const url = await freshNativeUrl()
    const open = async () => {
      const options = { poolSize: 2, pipeline: true, statementTimeoutMs: 30_000, onError: () => {} }
      const database = await openPostgres({ url, ...options })
      onTestFinished(() => database.close())
      return database
    }
    const name = new URL(url).pathname.slice(1)
    await (await open()).script(`alter database ${name} set lock_timeout = '20ms'`)
    const database = await open()
    const lock = sql`select pg_advisory_xact_lock(1)`
    let waiting: Promise<unknown> | undefined
    await database.transaction(async (db) => {
      await db.query(lock)
      waiting = Promise.all([
        database.transaction((other) => other.query(lock)),
        database.script('select pg_advisory_xact_lock(1)'),
        database.work.query(lock),
      ])
      waiting.catch(() => {})
      await db.query(sql`select pg_sleep(0.3)`)
    })
    await expect(waiting).resolves.toBeDefined()
  },
)
