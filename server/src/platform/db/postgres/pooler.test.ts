import { describe, expect, onTestFinished, test } from 'vitest'
import { pgbouncerVersion, startPgbouncer } from '../../../../test/pgbouncer.ts'
import { startPooler } from '../../../../test/pooler.ts'
import { freshNativeUrl, newWorkspace, startOn } from '../../../../test/running-service.ts'
import { migrate } from '../../migrate.ts'
import { type Db, sql } from '../db.ts'
import { openPostgres, type PostgresOptions } from '../postgres.ts'

const isPostgres = process.env.TEST_DATABASE === 'postgres'

async function open(options: Partial<PostgresOptions> & { url: string }) {
  const defaults = { poolSize: 4, pipeline: true, statementTimeoutMs: 7_000, onError: () => {} }
  const database = await openPostgres({ ...defaults, ...options })
  onTestFinished(() => database.close())
  return database
}

/** A pooler in front of a new database, and the address of the database itself. */
async function pooled(options?: Parameters<typeof startPooler>[1]) {
  const directUrl = await freshNativeUrl()
  const pooler = await startPooler(directUrl, options)
  onTestFinished(() => pooler.close())
  return { pooler, url: pooler.url, directUrl }
}

const settingsOf = (db: Db) =>
  db.query(sql`
    select current_setting('jit') as jit, current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('enable_seqscan') as seqscan,
      current_setting('enable_sort') as sort`)

const needed = { jit: 'off', statement: '7s', idle: '30s', seqscan: 'off', sort: 'on' }

// Whether a statement leaves something in the session, which a pooler would give to another client.
const staysInSession = /(^|;)\s*(set\s+(?!local|transaction)|listen|select\s+pg_advisory_lock)/i

describe.runIf(isPostgres)('a connection pooler in transaction mode', () => {
  test('the service starts and works behind it, without startup parameters and without traces in its sessions', async () => {
    const { pooler, url, directUrl } = await pooled()
    const database = await open({ url, directUrl })
    await migrate(database)
    const service = await startOn(database, {})
    onTestFinished(() => service.app.http.close())
    const ws = await newWorkspace(service)
    await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme', organizationName: 'Acme' }] })
    await service.app.worker.start()
    onTestFinished(() => service.app.worker.stop())
    await service.drainJobs()
    const { acme } = await ws.ok('/v2/organizations/get', {}).then(({ data }) => ({ acme: data[0] }))
    expect(acme).toMatchObject({ id: 'acme' })
    expect(pooler.statements.length).toBeGreaterThan(20)
    expect(pooler.statements.filter((text) => staysInSession.test(text))).toEqual([])
  })

  test('a startup parameter is refused by it', async () => {
    const { url, directUrl } = await pooled()
    const withParameter = `${url}?application_name=me`
    await expect(open({ url: withParameter, directUrl })).rejects.toThrow(
      'unsupported startup parameter: application_name',
    )
  })

  test('each statement and transaction has the settings that it needs', async () => {
    const { url, directUrl } = await pooled()
    const database = await open({ url, directUrl })
    for (const db of [database, database.checks]) expect(await settingsOf(db)).toEqual([needed])
    expect(await database.transaction(settingsOf)).toEqual([needed])
    expect(await settingsOf(database.work)).toEqual([{ ...needed, sort: 'off' }])
  })

  test('a failed statement leaves its connection usable', async () => {
    const { url, directUrl } = await pooled()
    const database = await open({ url, directUrl, statementTimeoutMs: 300 })
    await expect(database.query(sql`select 1 / ${0}::int`)).rejects.toMatchObject({ code: '22012' })
    await expect(database.work.query(sql`select pg_sleep(5)`)).rejects.toMatchObject({ code: '57014' })
    expect(await database.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    expect(await database.work.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  test('at start a warning names each setting that its sessions lack and the statement that mends it', async () => {
    const { pooler, url, directUrl } = await pooled()
    const warnings: string[] = []
    const onWarning = (message: string) => warnings.push(message)
    await open({ url, directUrl, onWarning })
    expect(warnings).toEqual([
      expect.stringMatching(
        /jit is on instead of off, enable_seqscan is on instead of off, statement_timeout is 0 instead of 7s/,
      ),
    ])
    const mend = /run: (.*)$/.exec(warnings[0] ?? '')?.[1] ?? ''
    expect(mend).toMatch(/^alter role "postgres" in database "test_\w+" set jit = 'off'; alter role/)
    const direct = await open({ url: directUrl })
    await direct.script(mend)
    const mended = await open({ url, directUrl, onWarning })
    expect(warnings).toHaveLength(1)
    pooler.statements.length = 0
    expect(await settingsOf(mended)).toEqual([needed])
    expect(pooler.statements).toEqual([expect.stringContaining('current_setting')])
  })

  test('without DATABASE_DIRECT_URL the start is refused', async () => {
    const { url } = await pooled()
    await expect(open({ url })).rejects.toThrow(/connection pooler.*Set DATABASE_DIRECT_URL/)
  })

  test('one that does not keep track of prepared statements is refused at start', async () => {
    const { url, directUrl } = await pooled({ prepared: false })
    await expect(open({ url, directUrl })).rejects.toThrow(/prepared statements.*PgBouncer does from version 1\.21/)
  })

  test('DATABASE_DIRECT_URL that leads to another database is refused at start', async () => {
    const { url } = await pooled()
    await expect(open({ url, directUrl: await freshNativeUrl() })).rejects.toThrow(/another database than DATABASE_URL/)
  })

  test('DATABASE_DIRECT_URL that leads through a pooler is warned of', async () => {
    const { url } = await pooled()
    const warnings: string[] = []
    await open({ url, directUrl: url, onWarning: (message) => warnings.push(message) })
    expect(warnings[0]).toMatch(/DATABASE_DIRECT_URL leads through a connection pooler/)
  })

  test('a direct connection needs no other URL and is warned of nothing', async () => {
    const warnings: string[] = []
    const database = await open({ url: await freshNativeUrl(), onWarning: (message) => warnings.push(message) })
    expect(await settingsOf(database)).toEqual([needed])
    expect(await settingsOf(database.work)).toEqual([{ ...needed, sort: 'off' }])
    expect(warnings).toEqual([])
  })
})

const version = pgbouncerVersion()
const reason = version ? version.join('.') : 'not installed here, so this is skipped'

describe.runIf(isPostgres && version)(`PgBouncer (${reason})`, () => {
  const keepsTrack = version && (version[0] > 1 || version[1] >= 21)

  test.runIf(!keepsTrack)('a version before 1.21 is refused at start with the version that is needed', async () => {
    const directUrl = await freshNativeUrl()
    const bouncer = await startPgbouncer(directUrl)
    onTestFinished(() => bouncer.close())
    await expect(open({ url: bouncer.url })).rejects.toThrow(/Set DATABASE_DIRECT_URL/)
    await expect(open({ url: bouncer.url, directUrl })).rejects.toThrow(/PgBouncer does from version 1\.21/)
  })

  test.runIf(keepsTrack)('version 1.21 or later carries many statements over few server connections', async () => {
    const directUrl = await freshNativeUrl()
    const bouncer = await startPgbouncer(directUrl)
    const database = await open({ url: bouncer.url, directUrl })
    onTestFinished(() => bouncer.close())
    await migrate(database)
    const service = await startOn(database, {})
    onTestFinished(() => service.app.http.close())
    const workspaces = await Promise.all(Array.from({ length: 20 }, () => newWorkspace(service)))
    expect(new Set(workspaces.map(({ id }) => id)).size).toBe(20)
    await service.drainJobs()
  })
})
