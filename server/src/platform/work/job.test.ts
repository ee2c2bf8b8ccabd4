import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { type Database, sql } from '../db/db.ts'
import { createEnqueue, type Job, job, jobQueue } from './job.ts'
import { createWorkerWakeup } from './wakeup.ts'
import { createWorker } from './worker.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
})

const tenant = () => ({ apiKey: ws.apiKey, workspaceId: ws.id })

function queueOf(jobs: Job[]) {
  const { database, app } = service
  return jobQueue({ database, services: app.services, jobs, subscriptions: [] })
}

const enqueueOne = <Payload extends object>(declared: Job<Payload>, payload: Payload, fail = false) =>
  service.database.transaction(async (db) => {
    await createEnqueue(db, tenant(), service.app.services)(declared, [payload])
    if (fail) throw new Error('rolled back')
  })

async function queued(name: string) {
  return service.database.query<{ attempt: number; last_error: string | null; run_at: number }>(sql`
    select attempt, last_error, run_at from job where api_key = ${ws.apiKey} and name = ${name}`)
}

test('a job runs after the commit that enqueued it, once, with its payload', async () => {
  const ran: object[] = []
  const declared = job<{ n: number }>({ name: 'test.once', run: async (_context, payload) => void ran.push(payload) })
  await enqueueOne(declared, { n: 7 })
  const queue = queueOf([declared])
  await queue.work()
  await queue.work()
  expect(ran).toEqual([{ n: 7 }])
  expect(await queued('test.once')).toEqual([])
})

test('four jobs of a process run at a time, so that requests find connections', async () => {
  let [running, most] = [0, 0]
  const declared = job({
    name: 'test.at-a-time',
    run: async () => {
      most = Math.max(most, ++running)
      await delay(30)
      running--
    },
  })
  await service.database.transaction((db) =>
    createEnqueue(
      db,
      tenant(),
      service.app.services,
    )(
      declared,
      Array.from({ length: 12 }, () => ({})),
    ),
  )
  await queueOf([declared]).work()
  expect(await queued('test.at-a-time')).toEqual([])
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(4)
})

test('a job of a transaction that rolls back never runs', async () => {
  const declared = job({ name: 'test.rolled-back', run: async () => {} })
  await expect(enqueueOne(declared, {}, true)).rejects.toThrow('rolled back')
  expect(await queued('test.rolled-back')).toEqual([])
})

test('a failing job leaves no effect, keeps its error, and runs again later', async () => {
  let attempts = 0
  const declared = job({
    name: 'test.flaky',
    run: async ({ db, tenant: { apiKey } }) => {
      await db.query(sql`insert into allowed_domain (api_key, domain) values (${apiKey}, ${`flaky-${attempts}.test`})`)
      attempts++
      if (attempts === 1) throw new Error('first time')
    },
  })
  await enqueueOne(declared, {})
  const queue = queueOf([declared])
  await queue.work()
  expect(await queued('test.flaky')).toMatchObject([{ attempt: 1, last_error: 'Error: first time' }])
  expect(await queue.work()).toBe(0)
  service.clock.ahead += 10_000
  await queue.work()
  service.clock.ahead -= 10_000
  expect(attempts).toBe(2)
  const domains = await service.database.query(sql`
    select domain from allowed_domain where api_key = ${ws.apiKey} and domain like 'flaky-%'`)
  expect(domains).toEqual([{ domain: 'flaky-1.test' }])
})

test('a job that a process does not know is left to one that knows it', async () => {
  const ran: string[] = []
  const [known, later] = ['test.known', 'test.of-a-later-version'].map((name) =>
    job({ name, run: async () => void ran.push(name) }),
  ) as [Job, Job]
  for (const each of [later, known]) await enqueueOne(each, {})
  await queueOf([known]).work()
  expect(ran).toEqual(['test.known'])
  expect(await queued(later.name)).toMatchObject([{ attempt: 0, last_error: null }])
  await queueOf([known, later]).work()
  expect(ran).toEqual(['test.known', 'test.of-a-later-version'])
})

test('a job that has failed 20 times is reported once, and is tried again every hour', async () => {
  let broken = true
  const declared = job({
    name: 'test.exhausted',
    run: async () => {
      if (broken) throw new Error('still broken')
    },
  })
  await enqueueOne(declared, {})
  await service.database.query(
    sql`update job set attempt = 18 where api_key = ${ws.apiKey} and name = 'test.exhausted'`,
  )
  const queue = queueOf([declared])
  const reported = async () => {
    const { text } = await service.app.services.metrics.render()
    return /jobs_processed_total\{job="test.exhausted",outcome="exhausted"\} (\d+)/.exec(text)?.[1]
  }
  const counts: (string | undefined)[] = []
  for (let failure = 19; failure <= 22; failure++) {
    await queue.work()
    expect(await queued('test.exhausted')).toMatchObject([{ attempt: failure }])
    counts.push(await reported())
    service.clock.ahead += 3_600_000
  }
  expect(counts).toEqual(['0', '1', '1', '1'])
  broken = false
  await queue.work()
  service.clock.ahead -= 4 * 3_600_000
  expect(await queued('test.exhausted')).toEqual([])
})

test('a job of which one process after the other dies is tried every hour only', async () => {
  let ran = 0
  const declared = job({ name: 'test.deadly', run: async () => void ran++ })
  await enqueueOne(declared, {})
  await service.database.query(sql`update job set attempt = 20 where api_key = ${ws.apiKey} and name = 'test.deadly'`)
  await dieAfterClaim([declared])
  const queue = queueOf([declared])
  service.clock.ahead += 3_500_000
  await queue.work()
  expect(ran).toBe(0)
  service.clock.ahead += 200_000
  await queue.work()
  service.clock.ahead -= 3_700_000
  expect(ran).toBe(1)
})

test('a process claims 16 jobs at most, so that another takes those that would wait', async () => {
  let ran = 0
  const declared = job({ name: 'test.shared', run: async () => void ran++ })
  await service.database.transaction((db) =>
    createEnqueue(db, tenant(), service.app.services)(declared, Array<object>(40).fill({})),
  )
  await dieAfterClaim([declared])
  const queue = queueOf([declared])
  while ((await queue.work()) > 0);
  expect(ran).toBe(24)
  service.clock.ahead += 61_000
  while ((await queue.work()) > 0);
  service.clock.ahead -= 61_000
  expect(ran).toBe(40)
})

/** Claims what is due like a process that dies before it has run any of it. */
function dieAfterClaim(jobs: Job[]): Promise<void> {
  const { database, app } = service
  return new Promise((resolve) => {
    const transaction = () => {
      resolve()
      return new Promise<never>(() => {})
    }
    const dying: Database = { ...database, query: (statement) => database.query(statement), transaction }
    void jobQueue({ database: dying, services: app.services, jobs, subscriptions: [] }).work()
  })
}

test('two workers never run the same job, and a dead worker’s job is run when its lease ends', async () => {
  let ran = 0
  const declared = job({ name: 'test.lease', run: async () => void ran++ })
  await enqueueOne(declared, {})
  // A worker that died right after its claim.
  await service.database.query(sql`
    update job set attempt = 1, locked_until = ${service.app.services.clock.now() + 60_000}::bigint
    where api_key = ${ws.apiKey} and name = 'test.lease'`)
  const [a, b] = [queueOf([declared]), queueOf([declared])]
  await Promise.all([a.work(), b.work()])
  expect(ran).toBe(0)
  service.clock.ahead += 61_000
  await Promise.all([a.work(), b.work(), a.work(), b.work()])
  service.clock.ahead -= 61_000
  expect(ran).toBe(1)
})

// Without the notification it is always late. With it a busy machine can still be late, hence the retries.
test('a started worker is woken by the commit, not by its poll', { retry: 5 }, async () => {
  const { database, app } = service
  let done = (_at: number) => {}
  const ran = new Promise<number>((resolve) => {
    done = resolve
  })
  const declared = job({ name: 'test.wake', run: async () => done(performance.now()) })
  const worker = createWorker(database, [queueOf([declared])], app.services.log)
  await worker.start()
  // The first look finds nothing, so only a notification can wake it in time.
  await service.database.query(sql`select 1`)
  const wake = createWorkerWakeup(database, app.services.log)
  await enqueueOne(declared, {})
  const committed = performance.now()
  wake()
  expect((await ran) - committed).toBeLessThan(900)
  await worker.stop()
})

test('a wake is sent at once, and those of the next milliseconds as one', async () => {
  let sent = 0
  const database = {
    ...service.database,
    query: async () => {
      sent++
      return []
    },
  }
  const wake = createWorkerWakeup(database, service.app.services.log)
  for (let i = 0; i < 5; i++) wake()
  expect(sent).toBe(1)
  await expect.poll(() => sent).toBe(2)
  await delay(50)
  expect(sent).toBe(2)
})

test('a long queue of one API key delays the job of another by one batch', async () => {
  const other = await newWorkspace(service)
  const ran: string[] = []
  const declared = job({ name: 'test.turns', run: async (context) => void ran.push(context.tenant.apiKey) })
  const enqueue = (api: { apiKey: string; id: string }, count: number) =>
    service.database.transaction((db) =>
      createEnqueue(
        db,
        { apiKey: api.apiKey, workspaceId: api.id },
        service.app.services,
      )(
        declared,
        Array.from({ length: count }, () => ({})),
      ),
    )
  await enqueue(ws, 1_000)
  await enqueue(other, 1)
  const queue = queueOf([declared])
  await queue.work()
  await queue.work()
  expect(ran).toContain(other.apiKey)
  while ((await queue.work()) > 0);
  expect([ran.length, ran.filter((apiKey) => apiKey === other.apiKey).length]).toEqual([1_001, 1])
})
