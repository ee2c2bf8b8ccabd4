import { afterEach, describe, expect, test } from 'vitest'
import { type Database, sql } from '../../src/platform/db/db.ts'
import { freshNativeUrl } from '../running-service.ts'
import { newCustomer } from './customer.ts'
import { openForReading, Restarting, startServer } from './processes.ts'

const THREADS = 4_000
const KILLS = 8
const TIMEOUT = 300_000
const at = { organizationId: 'acme', documentId: 'plan' }
const ada = { userId: 'ada', name: 'Ada', email: 'ada@example.com' }

describe.runIf(process.env.TEST_DATABASE === 'postgres')('a worker that is killed while it removes', () => {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  test(
    'a large organization: each thread is announced once, and nothing of it is left',
    async () => {
      const databaseUrl = await freshNativeUrl()
      const api = await startServer('api', databaseUrl)
      closing.push(() => api.stop('SIGKILL'))
      const database = await openForReading(databaseUrl)
      closing.push(() => database.close())
      const customer = await newCustomer(async () => api.url)
      await addThreads(customer, 'old', THREADS)
      await customer.ok('/v2/organizations/delete', { organizationIds: ['acme'] })
      await addThreads(customer, 'new', 3)

      const worker = new Restarting(() => startServer('worker', databaseUrl))
      closing.push(() => worker.stop())
      for (let kills = 1; kills <= KILLS; kills++) {
        const atLeast = Math.floor(((kills - 0.5) / KILLS) * THREADS)
        await expect.poll(() => removedThreads(database), { timeout: TIMEOUT, interval: 5 }).toBeGreaterThan(atLeast)
        await worker.kill(() => endLeases(database))
      }
      const progress = async () => (await customer.ok('/v2/organizations/delete/status', {})).data
      await expect.poll(progress, { timeout: TIMEOUT, interval: 100 }).toEqual([])

      const announced = await announcedThreads(database)
      const expected = Array.from({ length: THREADS }, (_, n) => `old-${n}`)
      expect(announced.sort()).toEqual(expected.sort())
      expect(await threadsLeft(database)).toEqual(['new-0', 'new-1', 'new-2'])
      const { data } = await customer.ok('/v2/commentannotations/get', { organizationId: 'acme' })
      expect(Array.isArray(data) && data.map((thread) => thread?.annotationId).sort()).toEqual([
        'new-0',
        'new-1',
        'new-2',
      ])
      expect(worker.kills).toBe(KILLS)
    },
    TIMEOUT,
  )
})

async function addThreads(customer: Awaited<ReturnType<typeof newCustomer>>, prefix: string, count: number) {
  for (let from = 0; from < count; from += 1_000) {
    const commentAnnotations = Array.from({ length: Math.min(1_000, count - from) }, (_, n) => ({
      annotationId: `${prefix}-${from + n}`,
      commentData: [{ from: ada, commentText: 'One' }],
    }))
    const place = { ...at, createOrganization: true, createDocument: true }
    await customer.ok('/v2/commentannotations/add', { ...place, commentAnnotations, triggerNotification: false })
  }
}

/** The job of a killed process is taken up when its lease ends, up to a minute later. */
async function endLeases(database: Database): Promise<void> {
  await database.query(sql`update job set locked_until = 0`)
}

/** Once the organization is gone, all are. */
async function removedThreads(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select removed_threads as count from organization where retired_at is not null`)
  return row?.count ?? THREADS + 1
}

async function announcedThreads(database: Database): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select advanced #>> '{data,commentAnnotation,annotationId}' as id from event where type = 'comment.delete'`)
  return rows.map(({ id }) => id)
}

async function threadsLeft(database: Database): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`select id from comment_annotation order by id`)
  return rows.map(({ id }) => id)
}
