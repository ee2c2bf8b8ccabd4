import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { newWorkspace, type Service, startAlone, type TestWorkspace } from '../../../test/running-service.ts'
import { DatabaseUnavailable, type Sql, sql } from '../db/db.ts'
import { createLog } from '../log.ts'
import { BY_MESSAGE, seldom } from '../seldom.ts'
import { createEnqueue, job, jobQueue } from './job.ts'
import { WORK_CHANNEL } from './wakeup.ts'
import { createWorker, type Source } from './worker.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startAlone()
  ws = await newWorkspace(service)
})

async function running(...sources: Source[]) {
  const worker = createWorker(service.database, sources, service.app.services.log)
  onTestFinished(() => worker.stop())
  await worker.start()
  return worker
}

/** A source that counts its turns. */
class Counting implements Source {
  turns = 0
  readonly name: string
  readonly isUrgent: boolean
  readonly #condition: Sql

  constructor(name: string, condition: Sql, isUrgent = false) {
    this.name = name
    this.#condition = condition
    this.isUrgent = isUrgent
  }

  async work() {
    this.turns++
    return 0
  }

  due() {
    return this.#condition
  }
}

test('a poll calls a source for which something is due, and one that cannot say, but none for which nothing is', async () => {
  const idle = new Counting('idle', sql`false`)
  const due = new Counting('due', sql`true`)
  let turns = 0
  const unknown = { name: 'unknown', work: async () => turns++ && 0 }
  const worker = await running(idle, due, unknown)
  await expect.poll(() => Math.min(due.turns, turns), { timeout: 10_000 }).toBeGreaterThanOrEqual(4)
  expect(idle.turns).toBe(0)
  // Waiting is not standing still.
  expect(worker.turns().find(({ source }) => source === idle)?.agoMs).toBeLessThan(1_500)
})

test('a notification calls an urgent source without asking, and of the others those for which something is due', async () => {
  const urgent = new Counting('urgent', sql`false`, true)
  const idle = new Counting('idle', sql`false`)
  const due = new Counting('due', sql`true`)
  await running(urgent, idle, due)
  for (let times = 1; times <= 3; times++) {
    const before = { urgent: urgent.turns, due: due.turns }
    await service.database.query(sql`select pg_notify(${WORK_CHANNEL}, '')`)
    await expect.poll(() => urgent.turns, { timeout: 10_000 }).toBeGreaterThan(before.urgent)
    await expect.poll(() => due.turns, { timeout: 10_000 }).toBeGreaterThan(before.due)
  }
  expect(idle.turns).toBe(0)
})

test('a poll that fails calls every source', async () => {
  const broken = new Counting('broken', sql`no_such_column`)
  const idle = new Counting('idle', sql`false`)
  await running(broken, idle)
  await expect.poll(() => Math.min(broken.turns, idle.turns), { timeout: 10_000 }).toBeGreaterThanOrEqual(2)
})

test('that the database is away is told once for all sources, and told that it is back; other failures once for each', async () => {
  const lines: string[] = []
  const log = createLog({ logLevel: 'info' }, { write: (line) => void lines.push(JSON.parse(line).msg) })
  const turns = { away: 0, too: 0, broken: 0, full: 0 }
  const failing = (name: keyof typeof turns, error: Error): Source => ({
    name,
    work: async () => {
      if (++turns[name] > 2) return 0
      throw error
    },
  })
  const away = [failing('away', new DatabaseUnavailable('down')), failing('too', new DatabaseUnavailable('down'))]
  const others = [failing('broken', new Error('bug')), failing('full', new Error('No space left on device'))]
  const worker = createWorker(service.database, [...away, ...others], log)
  onTestFinished(() => worker.stop())
  await worker.start()
  const back = 'the database answers the workers again'
  await expect.poll(() => lines, { timeout: 10_000 }).toContain(back)
  expect(Math.min(...Object.values(turns))).toBeGreaterThan(1)
  expect(lines.sort()).toEqual([
    'source of work failed',
    'source of work failed',
    back,
    'the database does not answer the workers',
  ])
})

test('what fails each second is told once a minute, with how often', async () => {
  const lines: { msg: string; source?: string; failures?: number }[] = []
  const log = createLog({ logLevel: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  let turns = 0
  const broken = async () => {
    turns++
    throw new Error('No space left on device')
  }
  const sources = [{ name: 'broken', work: broken, due: () => sql`no_such_column` }]
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now')
  onTestFinished(() => clock.mockRestore())
  const worker = createWorker(service.database, sources, log)
  onTestFinished(() => worker.stop())
  await worker.start()
  await expect.poll(() => turns, { timeout: 10_000 }).toBeGreaterThanOrEqual(3)
  clock.mockImplementation(() => now() + 60_000)
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(4)
  const told = (msg: string) => lines.filter((line) => line.msg === msg)
  const again = { failures: expect.toSatisfy((failures) => failures > 1) }
  expect(told('source of work failed')).toMatchObject([
    { source: 'broken', failures: 1 },
    { source: 'broken', ...again },
  ])
  expect(told('could not ask which work is due')).toMatchObject([{ failures: 1 }, again])
})

test('another failure of a source is told at once', async () => {
  const told: string[] = []
  const log = createLog({ logLevel: 'info' }, { write: (line) => void told.push(JSON.parse(line).err.message) })
  const full = 'No space left on device'
  const left = [full, 'a bug of 7', full, 'a bug of 8']
  const broken = async () => {
    const message = left.shift()
    if (message !== undefined) throw new Error(message)
    return 0
  }
  const worker = createWorker(service.database, [{ name: 'broken', work: broken }], log)
  onTestFinished(() => worker.stop())
  await worker.start()
  await expect.poll(() => left, { timeout: 10_000 }).toEqual([])
  expect(told).toEqual([full, 'a bug of 7'])
})

test('of many kinds of failures six are told in a minute, and the others counted', () => {
  const told: [unknown, number][] = []
  let at = 0
  const tell = seldom((error, failures) => void told.push([error, failures]), { now: () => at, ...BY_MESSAGE })
  const kinds = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'a']
  for (const kind of kinds) tell(kind)
  expect(told).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map((kind) => [kind, 1]))
  told.length = 0
  at = 60_000
  for (const kind of ['b', 'a', ...kinds]) tell(kind)
  expect(told.map(([, failures]) => failures)).toEqual([1, 2, 1, 1, 1, 3])
})

test('many sources that fail together leave no warning of Node between the lines of the log', async () => {
  const warnings: string[] = []
  const warned = ({ name }: Error) => void warnings.push(name)
  process.on('warning', warned)
  onTestFinished(() => void process.off('warning', warned))
  const turns = Array.from({ length: 20 }, () => 0)
  await running(
    ...turns.map((_, at) => ({
      name: `away ${at}`,
      work: async () => {
        turns[at] = (turns[at] ?? 0) + 1
        throw new DatabaseUnavailable('down')
      },
    })),
  )
  await expect.poll(() => Math.min(...turns), { timeout: 10_000 }).toBeGreaterThan(1)
  expect(warnings).toEqual([])
})

test('a source that failed is called again although nothing is due any more', async () => {
  let calls = 0
  const work = async () => {
    calls++
    if (calls === 1) throw new Error('first time')
    return 0
  }
  await running({ name: 'failing', work, due: () => sql`${calls === 0}::boolean` })
  await expect.poll(() => calls, { timeout: 10_000 }).toBe(2)
})

test('work that another process left without a notification is found by the poll, also once its lease ends', async () => {
  const ran: string[] = []
  const declared = job<{ as: string }>({ name: 'test.left', run: async (_context, { as }) => void ran.push(as) })
  const { database, app } = service
  await running(jobQueue({ database, services: app.services, jobs: [declared], subscriptions: [] }))
  const tenant = { apiKey: ws.apiKey, workspaceId: ws.id }
  const leave = (as: string) =>
    database.transaction(async (db) => {
      await createEnqueue(db, tenant, app.services)(declared, [{ as }])
      const leased = as === 'leased' ? 1_200 : 0
      await db.query(sql`
        update job set locked_until = ${app.services.clock.now() + leased}::bigint where api_key = ${ws.apiKey}`)
    })
  await leave('new')
  await expect.poll(() => ran, { timeout: 10_000 }).toEqual(['new'])
  await leave('leased')
  await expect.poll(() => ran, { timeout: 10_000 }).toEqual(['new', 'leased'])
})
