import { afterEach, describe, expect, test } from 'vitest'
import { type Database, sql } from '../../src/platform/db/db.ts'
import type { Answer } from '../answer.ts'
import { freshNativeUrl } from '../running-service.ts'
import { newCustomer, startInbox } from './customer.ts'
import { openForReading, startServer } from './processes.ts'

const EVENTS = 60
const RATE_LIMIT = 20
const WORKERS = 3
const TIMEOUT = 180_000

describe.runIf(process.env.TEST_DATABASE === 'postgres')('three worker processes', () => {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  test(
    'keep a rate limit exactly and claim nothing twice',
    async () => {
      const databaseUrl = await freshNativeUrl()
      const api = await startServer('api', databaseUrl)
      closing.push(() => api.stop('SIGKILL'))
      const workers = await Promise.all(Array.from({ length: WORKERS }, () => startServer('worker', databaseUrl)))
      for (const worker of workers) closing.push(() => worker.stop('SIGKILL'))
      const database = await openForReading(databaseUrl)
      closing.push(() => database.close())
      const [limited, free] = [await startInbox(), await startInbox()]
      closing.push(limited.close, free.close)
      const customer = await newCustomer(async () => api.url)
      limited.trust(await customer.subscribe({ url: `${limited.url}/limited`, rateLimit: RATE_LIMIT }))
      free.trust(await customer.subscribe({ url: `${free.url}/free` }))
      await customer.makeThreads(EVENTS)

      const answers = await Promise.all(Array.from({ length: EVENTS }, (_, n) => answerOf(() => customer.comment(n))))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      await expect.poll(() => unfinished(database), { timeout: TIMEOUT, interval: 100 }).toEqual([])

      for (const inbox of [limited, free]) {
        const ids = inbox.deliveries.all().map(({ webhookId }) => webhookId)
        expect(ids).toHaveLength(EVENTS)
        expect(new Set(ids).size).toBe(EVENTS)
        expect(inbox.refused).toEqual([])
      }
      const times = await sendTimes(database, `${limited.url}/limited`)
      expect(times).toHaveLength(EVENTS)
      expect(busiestSecond(times)).toBeLessThanOrEqual(RATE_LIMIT)
      expect(await sendTimes(database, `${free.url}/free`)).toHaveLength(EVENTS)
      const counted = await Promise.all(workers.map(({ url }) => succeededAt(url)))
      expect(counted.reduce((sum, count) => sum + count)).toBe(2 * EVENTS)
    },
    TIMEOUT,
  )
})

/** On a busy machine a call may wait too long for one of the shared connections; then it has done nothing. */
async function answerOf(call: () => Promise<Answer>): Promise<Answer> {
  const answer = await call()
  return answer.status === 503 ? answerOf(call) : answer
}

/** The number of deliveries in a worker's metrics. */
async function succeededAt(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(metrics.match(/^deliveries_total\{outcome="succeeded"\} (\d+)$/m)?.[1] ?? 0)
}

const unfinished = (database: Database) =>
  database.query(sql`select status, attempt from webhook_delivery where status <> 'succeeded'`)

/** The times of the attempts to a URL, in order. */
async function sendTimes(database: Database, url: string): Promise<number[]> {
  const rows = await database.query<{ sent_at: number }>(
    sql`select sent_at from webhook_attempt where url = ${url} order by sent_at`,
  )
  return rows.map(({ sent_at }) => sent_at)
}

const busiestSecond = (times: number[]) =>
  Math.max(...times.map((start) => times.filter((time) => time >= start && time < start + 1000).length))
