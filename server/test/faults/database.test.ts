import { afterEach, describe, expect, test } from 'vitest'
import { type Database, sql } from '../../src/platform/db/db.ts'
import type { Answer } from '../answer.ts'
import { startCluster } from '../postgres-cluster.ts'
import { startProxy } from '../tcp-proxy.ts'
import { type Customer, newCustomer, startInbox } from './customer.ts'
import { openForReading, startServer } from './processes.ts'

const EVENTS = 100
const WRITERS = 4
const TIMEOUT = 180_000

describe.runIf(process.env.TEST_DATABASE === 'postgres')('a database that goes away during delivery', () => {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  test(
    'requests answer UNAVAILABLE meanwhile; afterwards the same process delivers every event by itself',
    async () => {
      const cluster = await startCluster({ url: undefined })
      closing.push(cluster.stop)
      const proxy = await startProxy(cluster.url)
      closing.push(proxy.close)
      const server = await startServer('all', proxy.url)
      closing.push(() => server.stop('SIGKILL'))
      const inbox = await startInbox()
      closing.push(inbox.close)
      const customer = await newCustomer(async () => server.url)
      inbox.trust(await customer.subscribe({ url: inbox.url }))
      await customer.makeThreads(EVENTS)

      const statuses = new Set<number>()
      const crashing = writeAll(customer, 0, EVENTS / 2, statuses)
      await inbox.deliveries.first(5, TIMEOUT)
      await crash(cluster.url)
      await crashing

      const cutting = writeAll(customer, EVENTS / 2, EVENTS, statuses)
      await inbox.deliveries.first(EVENTS / 2 + 5, TIMEOUT)
      proxy.cut()
      expectUnavailable(await customer.comment(0))
      expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
      proxy.restore()
      await cutting

      expect([...statuses].filter((seen) => seen !== 200 && seen !== 503)).toEqual([])
      const database = await openForReading(cluster.url)
      closing.push(() => database.close())
      await expect.poll(() => unfinished(database), { timeout: TIMEOUT, interval: 250 }).toEqual([])
      const numbers = new Set(inbox.deliveries.all().map(({ comment }) => comment))
      expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: EVENTS }, (_, n) => n))
      const ids = new Set(inbox.deliveries.all().map(({ webhookId }) => webhookId))
      expect(ids.size).toBe(EVENTS)
      expect(inbox.refused).toEqual([])
      expect(server.child.exitCode).toBeNull()
    },
    TIMEOUT,
  )
})

function expectUnavailable({ status, headers, body }: Answer): void {
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toBe('1')
  expect(body.error).toMatchObject({ status: 'UNAVAILABLE' })
}

/** Adds comments, repeats each call until it succeeds, and records the statuses of the responses. */
async function writeAll(customer: Customer, from: number, to: number, statuses: Set<number>): Promise<void> {
  const next = Array.from({ length: to - from }, (_, n) => from + n).values()
  const attempt = async (number: number) => {
    const { status } = await customer.comment(number)
    statuses.add(status)
    return status
  }
  const writer = async () => {
    for (const number of next) {
      await expect.poll(() => attempt(number), { timeout: TIMEOUT, interval: 50 }).toBe(200)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
}

/**
 * Kills one process of the database server. The server breaks all connections, recovers from its log, and starts again.
 */
async function crash(url: string): Promise<void> {
  const database = await openForReading(url)
  const [row] = await database.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  if (!row) throw new Error('The database server did not tell its process.')
  process.kill(row.pid, 'SIGKILL')
  await expect.poll(() => database.query(sql`select 1 as up`).catch(() => []), { timeout: TIMEOUT }).toHaveLength(1)
  await database.close()
}

const unfinished = (database: Database) =>
  database.query(sql`select status, due_at, attempt from webhook_delivery where status <> 'succeeded' order by due_at`)
