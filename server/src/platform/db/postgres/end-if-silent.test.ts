import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../../test/ports/listen.ts'
import { freshNativeUrl } from '../../../../test/running-service.ts'
import { sql } from '../db.ts'
import { openPostgres } from '../postgres.ts'
import { endIfSilent } from './end-if-silent.ts'

const isPostgres = process.env.TEST_DATABASE === 'postgres'

/** A way to a database whose open connections can go silent, as where the other host is gone. New ones work. */
async function silenceable(target: string) {
  const open = new Set<Socket>()
  const { hostname, port } = new URL(target)
  const server = createServer((inbound) => {
    const outbound = connect(Number(port), hostname)
    const end = () => [inbound, outbound].map((socket) => socket.destroy())
    for (const socket of [inbound, outbound]) {
      open.add(socket)
      socket.on('error', () => {}).on('close', end)
    }
    inbound.pipe(outbound).pipe(inbound)
  })
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const url = new URL(target)
  url.host = `127.0.0.1:${await listen(server)}`
  return {
    url: url.href,
    silence: () => [...open].map((socket) => socket.unpipe().pause()),
  }
}

describe.runIf(isPostgres)('connections to a server', () => {
  test('whose peer goes silent fail soon after the time limit of a statement, and are replaced', async () => {
    const way = await silenceable(await freshNativeUrl())
    const options = { poolSize: 2, pipeline: true, statementTimeoutMs: 500, onError: () => {} }
    const database = await openPostgres({ url: way.url, ...options })
    onTestFinished(() => database.close())
    const one = sql`select 1 as one`
    const all = () => [database.checks.query(one), database.query(one), database.transaction((db) => db.query(one))]
    await Promise.all(all())
    way.silence()
    const outcomes = await Promise.allSettled(all())
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'DatabaseUnavailable' } })
    expect(await Promise.all(all())).toEqual([[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]])
  }, 30_000)

  test('are all replaced once one is found to be silent, so that no others wait as long', async () => {
    const way = await silenceable(await freshNativeUrl())
    const options = { poolSize: 2, pipeline: true, statementTimeoutMs: 500, onError: () => {} }
    const database = await openPostgres({ url: way.url, ...options })
    onTestFinished(() => database.close())
    const one = sql`select 1 as one`
    const all = () => [
      ...[1, 2, 3, 4, 5].map(() => database.query(one)),
      database.work.query(one),
      database.checks.query(one),
    ]
    let notified = 0
    await database.listen('silent', () => notified++)
    await Promise.all(all())
    way.silence()
    await expect(database.query(one)).rejects.toMatchObject({ name: 'DatabaseUnavailable' })
    expect(await Promise.all(all())).toHaveLength(7)
    // The connection that listens owes no answer, so nothing else would find out.
    const notify = async () => {
      await database.query(sql`select pg_notify('silent', '')`)
      return notified
    }
    await expect.poll(notify, { timeout: 5_000 }).toBeGreaterThan(1)
  }, 30_000)

  test('that answer are kept, however many statements wait for their turn', async () => {
    const client = new pg.Client({ connectionString: await freshNativeUrl(), pipeline: true })
    onTestFinished(() => client.end())
    await client.connect()
    endIfSilent(client, 1_500, () => {})
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => client.query('select pg_sleep(0.5)')))
    expect(answers).toHaveLength(5)
  })
})
