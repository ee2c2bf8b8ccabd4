import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startPooler } from '../../test/pooler.ts'
import { buildOnce } from '../../test/process.ts'
import { freshNativeUrl, SECRET_KEYS } from '../../test/running-service.ts'
import { openPostgres } from '../platform/db/postgres.ts'
import { migrate } from '../platform/migrate.ts'

const run = promisify(execFile)

beforeAll(async () => {
  await buildOnce()
})

async function examine(url: string, more: Record<string, string> = {}): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: url, SECRET_KEYS, ...more }
  const program = new URL('../../dist/doctor.js', import.meta.url).pathname
  const { stdout } = await run(process.execPath, [program], { env }).catch((error) => error)
  return stdout
}

/** The address with a part changed. */
function changed(address: string, change: (url: URL) => void): string {
  const url = new URL(address)
  change(url)
  return url.href
}

describe.runIf(process.env.TEST_DATABASE === 'postgres')('doctor, on PostgreSQL', { timeout: 60_000 }, () => {
  test('names settings by which acknowledged writes can be lost', async () => {
    const url = await freshNativeUrl()
    expect(await examine(url)).toContain('The database is empty.')
    expect(await examine(url, { DATABASE_POOL_SIZE: '1000' })).toContain('max_connections')
    const unsafe = changed(url, ({ searchParams }) => searchParams.set('options', '-c synchronous_commit=off'))
    expect(await examine(unsafe)).toContain('synchronous_commit is off')
  })

  test('names a database that takes no writes, and too few connections for its role', async () => {
    const url = await freshNativeUrl()
    const readOnly = changed(url, ({ searchParams }) =>
      searchParams.set('options', '-c default_transaction_read_only=on'),
    )
    expect(await examine(readOnly)).toMatch(/"status":"failure".*takes no writes.*primary instead of a standby/)
    const database = await openPostgres({ url, poolSize: 1, pipeline: true, statementTimeoutMs: 0, onError: () => {} })
    onTestFinished(() => database.close())
    const name = new URL(url).pathname.slice(1)
    await database.script(`alter database ${name} connection limit 20`)
    expect(await examine(url)).toMatch(/"status":"warning".*allows 20 connections; each process needs up to 30/)
  })

  test('names a clock that differs from that of the database', async () => {
    // The clock of the process runs a minute ahead.
    const ahead = '--import=data:text/javascript,{const%20now=Date.now;Date.now=()=>now()+60000}'
    const found = await examine(await freshNativeUrl(), { NODE_OPTIONS: ahead })
    expect(found).toMatch(/"check":"clock","status":"warning".*differ by 60 s.*NTP/)
    expect(await examine(await freshNativeUrl())).toContain('"check":"clock","status":"ok"')
  })

  test('counts the webhook endpoints that fail, and those that were disabled for it', async () => {
    const url = await freshNativeUrl()
    const database = await openPostgres({ url, poolSize: 1, pipeline: true, statementTimeoutMs: 0, onError: () => {} })
    onTestFinished(() => database.close())
    await migrate(database)
    expect(await examine(url)).toContain('"check":"webhook endpoints","status":"ok","message":"None of 0 fails."')
    await database.script(`
      set session_replication_role = replica;
      insert into webhook_endpoint (api_key, id, kind, url, enabled, encode, protect, disabled, failing_since)
      select 'k', id, 'advanced', 'https://example.com', true, false, false, disabled, since
      from (
        values ('a', false, null), ('b', false, 1800000000000), ('c', true, 1700000000000), ('d', true, null)
      ) as e (id, disabled, since)`)
    expect(await examine(url)).toMatch(
      /"check":"webhook endpoints","status":"warning","message":"1 of 2 fail, the first since 2027-01-15T08:00:00.000Z. 1 failed until the service disabled them."/,
    )
  })

  test('warns of a role that does not own the tables, and examines what is in them', async () => {
    const url = await freshNativeUrl()
    const database = await openPostgres({ url, poolSize: 1, pipeline: true, statementTimeoutMs: 0, onError: () => {} })
    const role = `other_${randomUUID().slice(0, 8)}`
    onTestFinished(async () => {
      await database.script(`drop owned by ${role}; drop role ${role}`)
      await database.close()
    })
    await migrate(database)
    await database.script(`
      create role ${role} login password 'secret';
      grant usage, create on schema public to ${role};
      grant all on all tables in schema public to ${role}`)
    const found = await examine(changed(url, (each) => Object.assign(each, { username: role, password: 'secret' })))
    expect(found).toMatch(/"check":"database rights","status":"warning".*but not change them, as migrations do/)
    expect(found).toMatch(/"check":"migrations","status":"ok"/)
  })

  test('names a wrong password without showing it, and a database that does not exist', async () => {
    const url = await freshNativeUrl()
    const wrong = await examine(
      changed(url, (each) => {
        each.password = 'hunter2'
      }),
    )
    expect(wrong).toMatch(/"check":"database","status":"failure".*password authentication failed.*Check DATABASE_URL/)
    expect(wrong).not.toContain('hunter2')
    const missing = await examine(
      changed(url, (each) => {
        each.pathname = '/nowhere'
      }),
    )
    expect(missing).toMatch(/"status":"failure".*"nowhere\\" does not exist/)
  })

  test('names a pooler without DATABASE_DIRECT_URL, and one that leads to another database', async () => {
    const [url, other] = [await freshNativeUrl(), await freshNativeUrl()]
    const pooler = await startPooler(url)
    onTestFinished(() => pooler.close())
    expect(await examine(pooler.url)).toMatch(/"status":"failure".*Set DATABASE_DIRECT_URL.*connection pooler/)
    const astray = await examine(pooler.url, { DATABASE_DIRECT_URL: other })
    expect(astray).toMatch(/"status":"failure".*leads to another database.*Let DATABASE_DIRECT_URL lead to the same/)
    const refused = await examine(pooler.url, { DATABASE_DIRECT_URL: 'postgres://127.0.0.1:59986/x' })
    expect(refused).toMatch(/"status":"failure".*DATABASE_DIRECT_URL cannot be used/)
  })
})
