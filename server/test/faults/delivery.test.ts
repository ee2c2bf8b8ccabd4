import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Database, sql } from '../../src/platform/db/db.ts'
import { Arrivals } from '../arrivals.ts'
import { freshNativeUrl } from '../running-service.ts'
import { type Customer, type Delivered, newCustomer, OPENING_COMMENT, startInbox } from './customer.ts'
import { openForReading, Restarting, startServer } from './processes.ts'

const EVENTS = Number(process.env.FAULT_EVENTS ?? 200)
const KILLS = Math.min(20, Math.ceil(EVENTS / 50))
const WRITERS = 8
const TIMEOUT = 180_000 + EVENTS * 60

const pick = (below: number) => 1 + Math.floor(Math.random() * below)
const sorted = <Item>(items: Iterable<Item>) => [...items].map(String).sort()

describe.runIf(process.env.TEST_DATABASE === 'postgres')('processes that are killed at random moments', () => {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  test(
    `of ${EVENTS} events, those and only those that were committed are delivered, under one id each`,
    async () => {
      const databaseUrl = await freshNativeUrl()
      const api = new Restarting(() => startServer('api', databaseUrl))
      closing.push(() => api.stop())
      await api.running()
      const worker = new Restarting(() => startServer('worker', databaseUrl))
      closing.push(() => worker.stop())
      const database = await openForReading(databaseUrl)
      closing.push(() => database.close())
      const inbox = await startInbox()
      onTestFinished(() => inbox.close())
      const customer = await newCustomer(async () => (await api.running()).url)
      inbox.trust(await customer.subscribe({ url: inbox.url }))
      await customer.makeThreads(EVENTS)
      await worker.running()

      const acknowledged = new Arrivals<number>()
      const interrupted = new Set<string>()
      let unanswered = 0
      for (const numbers of inParts(EVENTS, KILLS)) {
        const within = () => pick(numbers.length / 2)
        const [answers, arrivals] = [acknowledged.all().length + within(), inbox.deliveries.all().length + within()]
        const [lost] = await Promise.all([
          write(customer, numbers, acknowledged),
          acknowledged.first(answers, TIMEOUT).then(() => api.kill()),
          inbox.deliveries
            .first(arrivals, TIMEOUT)
            .then(() => worker.kill(() => noteAttemptsInFlight(database, interrupted))),
        ])
        unanswered += lost
      }
      await expect.poll(() => unfinished(database), { timeout: TIMEOUT, interval: 250 }).toBe(0)

      const { events, comments } = await committed(database)
      expect(sorted(events.map(({ comment }) => comment))).toEqual(sorted(comments))
      const kept = new Set(comments)
      expect(acknowledged.all().filter((number) => !kept.has(number))).toEqual([])
      expect(unanswered).toBeLessThanOrEqual(WRITERS * api.kills)
      expect(inbox.refused).toEqual([])
      const delivered = inbox.deliveries.all()
      expect(sorted(new Set(delivered.map(nameOf)))).toEqual(sorted(events.map(nameOf)))
      expect([api.kills, worker.kills]).toEqual([KILLS, KILLS])
      expectRepeatedOnly(delivered, interrupted)
    },
    TIMEOUT,
  )
})

const inParts = (count: number, parts: number) =>
  Array.from({ length: parts }, (_, part) =>
    Array.from({ length: count }, (_, n) => n).filter((n) => n % parts === part),
  )

/** Adds comments, several at a time; returns how many of the calls got no response. */
async function write(customer: Customer, numbers: number[], acknowledged: Arrivals<number>): Promise<number> {
  const next = numbers.values()
  let unanswered = 0
  const writer = async () => {
    for (const number of next) {
      const answer = await customer.comment(number).catch(() => undefined)
      if (!answer) unanswered++
      else if (answer.status === 200) acknowledged.add(number)
      else throw new Error(JSON.stringify(answer))
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
  return unanswered
}

/**
 * Records, as `<message id> <attempt>`, the attempts that no process has recorded as ended. Those of a killed process
 * are among them.
 */
async function noteAttemptsInFlight(database: Database, interrupted: Set<string>): Promise<void> {
  const rows = await database.query<{ event_id: string; attempt: number }>(
    sql`select event_id, attempt from webhook_delivery where status = 'ready' and claimed_until > 0`,
  )
  for (const { event_id, attempt } of rows) interrupted.add(`${event_id} ${attempt}`)
}

async function unfinished(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    sql`select count(*) as count from webhook_delivery where status <> 'succeeded'`,
  )
  return row?.count ?? 0
}

async function committed(database: Database) {
  const events = await database.query<{ webhookId: string; comment: number }>(sql`
    select id as "webhookId", (advanced #>> '{data,targetComment,commentId}')::bigint as comment
    from event
    where type = 'comment.add'`)
  const comments = await database.query<{ id: number }>(sql`select id from comment where id <> ${OPENING_COMMENT}`)
  return { events, comments: comments.map(({ id }) => id) }
}

const nameOf = ({ webhookId, comment }: { webhookId: string; comment: number }) => `${webhookId} ${comment}`

/**
 * A message may arrive once more for each of its attempts that a kill interrupted. No other message may arrive twice.
 */
function expectRepeatedOnly(delivered: Delivered[], interrupted: Set<string>): void {
  const allowed = countBy([...interrupted].map((attempt) => attempt.slice(0, attempt.indexOf(' '))))
  const arrived = countBy(delivered.map(({ webhookId }) => webhookId))
  const tooOften = [...arrived].filter(([id, times]) => times > 1 + (allowed.get(id) ?? 0))
  expect(tooOften).toEqual([])
  expect(delivered.length - arrived.size).toBeLessThanOrEqual(interrupted.size)
}

function countBy(ids: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}
