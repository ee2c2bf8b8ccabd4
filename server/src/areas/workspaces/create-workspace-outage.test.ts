import { randomUUID } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { freshNativeUrl, startService } from '../../../test/running-service.ts'
import { startProxy } from '../../../test/tcp-proxy.ts'
import { createApp } from '../../app.ts'
import { type Database, sql } from '../../platform/db/db.ts'
import { openPostgres } from '../../platform/db/postgres.ts'
import { migrate } from '../../platform/migrate.ts'
import { parseSecretKeys } from '../../platform/secret.ts'

const CREATE = '/v2/workspace/create'
const service = await startService()
const newEmail = () => `jane.${randomUUID()}@example.com`

/** Calls a second service with a database of its own. */
async function createOn(database: Database, ownerEmail: string) {
  const { config, log } = service.app.services
  const secretKeys = parseSecretKeys(`test:${Buffer.alloc(32, 7).toString('base64')}`)
  const app = createApp({ config, database, secretKeys, log })
  const answer = await app.http.inject({ method: 'POST', url: CREATE, payload: { data: { ownerEmail } } })
  await app.http.close()
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], ...answer.json() }
}

async function openMigrated(url: string): Promise<Database> {
  const options = { poolSize: 2, pipeline: true, statementTimeoutMs: 10_000, onError: () => {} }
  const database = await openPostgres({ url, ...options })
  await migrate(database)
  return database
}

describe.runIf(process.env.TEST_DATABASE === 'postgres')('creating a workspace while the database fails', () => {
  test('a statement that is cancelled for taking too long: DEADLINE_EXCEEDED', async () => {
    const ownerEmail = newEmail()
    await service.database.transaction(async (db) => {
      await db.query(sql`select pg_advisory_xact_lock(hashtextextended(lower(${ownerEmail}), 0))`)
      const answer = service.call(CREATE, { ownerEmail })
      const cancelWaiting = () =>
        db.query(sql`
          select pg_cancel_backend(l.pid)
          from pg_locks l
          join pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`)
      await expect.poll(cancelWaiting).toHaveLength(1)
      expect((await answer).body.error).toMatchObject({ status: 'DEADLINE_EXCEEDED', code: 504 })
    })
  })

  test('a database that cannot be reached: UNAVAILABLE, to be tried again after a second', async () => {
    const proxy = await startProxy(await freshNativeUrl())
    const database = await openMigrated(proxy.url)
    proxy.cut()
    const failed = await createOn(database, newEmail())
    expect(failed).toMatchObject({ status: 503, retryAfter: '1', error: { status: 'UNAVAILABLE' } })
    await database.close()
    proxy.close()
  })

  test('a connection that drops in the middle: INTERNAL, nothing is left behind, and the next create succeeds', async () => {
    const target = new URL(await freshNativeUrl())
    const proxy = await cuttingProxy(target, 'insert into auth_token')
    const database = await openMigrated(proxy.url)
    const ownerEmail = newEmail()
    const failed = await createOn(database, ownerEmail)
    expect(proxy.state.cuts).toBe(1)
    expect(failed).toMatchObject({ status: 500, error: { status: 'INTERNAL', message: 'Failed to create workspace.' } })
    proxy.state.armed = false
    expect(await database.query(sql`select id from workspace`)).toEqual([])
    const healed = await createOn(database, ownerEmail)
    expect(healed.status).toBe(200)
    await database.close()
    proxy.close()
  })
})

/** A proxy before the database. It drops the connection on which the given statement is sent. */
async function cuttingProxy(target: URL, statement: string) {
  const state = { armed: true, cuts: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy())
    sockets.add(client).add(upstream)
    upstream.pipe(client)
    client.on('data', (bytes) => {
      if (!state.armed || !bytes.includes(statement)) return upstream.write(bytes)
      state.cuts++
      client.destroy()
      return upstream.destroy()
    })
    client.on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: url.href, state, close }
}
