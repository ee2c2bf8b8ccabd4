import { describe, expect, onTestFinished, test } from 'vitest'
import { connectionsTo } from '../../../../test/connections-to.ts'
import { freshNativeUrl } from '../../../../test/running-service.ts'
import { sql } from '../db.ts'
import { openPostgres } from '../postgres.ts'
import { SharedConnections } from './shared-connections.ts'

describe.runIf(process.env.TEST_DATABASE === 'postgres')('shared connections', () => {
  test('behind a pooler a refused parameter leaves no transaction open', async () => {
    const url = await freshNativeUrl()
    const connections = { connectionString: url, pipeline: true }
    const shared = new SharedConnections({ connections, count: 1, prepare: undefined, begin: 'begin' })
    onTestFinished(() => shared.close())
    await expect(shared.query(sql`select ${undefined}`)).rejects.toThrow()
    await expect.poll(() => connectionsTo(url)).toEqual(['idle'])
  })

  test.each([undefined, 'begin'])(
    'statements sent behind a refused one of their text are refused alike (%s)',
    async (begin) => {
      const connections = { connectionString: await freshNativeUrl(), pipeline: true }
      const shared = new SharedConnections({ connections, count: 1, prepare: undefined, begin })
      onTestFinished(() => shared.close())
      const outcomes = await Promise.allSettled([1, 2, 3, 4].map((n) => shared.query(sql`select ${n} from missing`)))
      const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)
      expect(codes).toEqual(['42P01', '42P01', '42P01', '42P01'])
    },
  )

  test.each([undefined, 'begin'])('a statement that the server has lost is prepared again (%s)', async (begin) => {
    const connections = { connectionString: await freshNativeUrl(), pipeline: true }
    const shared = new SharedConnections({ connections, count: 1, prepare: undefined, begin })
    onTestFinished(() => shared.close())
    const read = () => shared.query(sql`select ${1}::int as one`)
    await read()
    await shared.query(sql`deallocate all`)
    expect(await read()).toEqual([{ one: 1 }])
    expect(await read()).toEqual([{ one: 1 }])
  })

  test('a caller with many statements leaves the first connection to others, and one with few uses all', async () => {
    const connections = { connectionString: await freshNativeUrl(), pipeline: true }
    const shared = new SharedConnections({ connections, count: 3, prepare: undefined, begin: undefined })
    onTestFinished(() => shared.close())
    const holder = new SharedConnections({ connections, count: 1, prepare: undefined, begin: undefined })
    onTestFinished(() => holder.close())
    await holder.query(sql`select pg_advisory_lock(1)`)
    const slow = Array.from({ length: 50 }, (_, n) =>
      shared.query(n < 8 ? sql`select 1` : sql`select pg_advisory_xact_lock_shared(1)`, 'many'),
    )
    for (const n of [1, 2, 3]) expect(await shared.query(sql`select ${n}::int as n`, 'few')).toEqual([{ n }])
    expect(shared.inFlight).toBeGreaterThanOrEqual(42)
    await holder.query(sql`select pg_advisory_unlock(1)`)
    await Promise.all(slow)
    const pids = await Promise.all(Array.from({ length: 3 }, () => shared.query(sql`select pg_backend_pid()`, 'many')))
    expect(new Set(pids.map(([row]) => JSON.stringify(row))).size).toBe(3)
  })

  test('that are renewed are others afterwards, and what is in flight on them ends first', async () => {
    const connections = { connectionString: await freshNativeUrl(), pipeline: true }
    const shared = new SharedConnections({ connections, count: 1, prepare: undefined, begin: undefined })
    onTestFinished(() => shared.close())
    const pid = () => shared.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    const [before] = await pid()
    // Not at once, so that a server that takes no writes for long gets no new connection for each.
    shared.renew()
    expect(await pid()).toEqual([before])
    await shared.query(sql`select pg_sleep(5)`)
    const slow = shared.query(sql`select 1 as one from pg_sleep(0.3)`)
    await Promise.resolve()
    shared.renew()
    expect(await pid()).not.toEqual([before])
    expect(await slow).toEqual([{ one: 1 }])
  }, 15_000)
})

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
