import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from '../server/src/platform/db/db.ts'
import { startCluster } from '../server/test/postgres-cluster.ts'
import { conditions, median, round, table } from './table.ts'
import type { Role, Seen } from './webhooks-process.ts'
import { type Customer, newCustomer, openService, recorded, type Service, store } from './webhooks-setup.ts'

const SECRET_KEYS = `bench:${Buffer.alloc(32, 1).toString('base64')}`
// Events of one transaction at most.
const BATCH = 100
const PACE_MS = 10
const PATIENCE_MS = 60_000
const SIGNED = 1_000

/**
 * Deliveries a second with so many under way, as a ratio to a bare undici loop that posts the same bodies with the same
 * concurrency, rounds interleaved; then the time from event to arrival at half of that rate. A delivery that is not
 * verified, comes twice, or has no attempt recorded fails the run.
 * Arguments: concurrencies, numbers of endpoints, rounds, seconds; `--stored`: attempts in the database before.
 */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { stored: { type: 'string', default: '0' } },
  })
  const [concurrencies = '1,32,256', endpoints = '1,50,500', rounds = '3', seconds = '3'] = positionals
  const cluster = await startCluster()
  if ('unavailable' in cluster) throw new Error(cluster.unavailable)
  const children: ChildProcess[] = []
  const start = async (role: Role) => {
    const child = fork(new URL('./webhooks-process.ts', import.meta.url), { execArgv: ['--import', 'tsx'] })
    children.push(child)
    child.send(role)
    const [ready] = await once(child, 'message')
    return { child, ready }
  }
  try {
    const env = {
      SECRET_KEYS,
      DATABASE_URL: cluster.url,
      LOG_LEVEL: 'error',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      RATE_LIMIT_WORKSPACE_CREATE: '0',
    }
    const service = await openService(env)
    const { child, ready } = await start({ role: 'receiver' })
    const receiver = new Receiver(child, `http://127.0.0.1:${ready.port}`)
    const counts = numbersOf(endpoints)
    const customers: Customer[] = []
    for (const count of counts) customers.push(await newCustomer(service, receiver.url, count))
    const stored = Math.floor(Number(values.stored) / customers.length)
    for (const customer of customers) {
      await store(service.database, customer, stored)
      await receiver.ask({ secrets: customer.secrets })
    }
    await start({ role: 'worker', env })
    const rows = []
    for (const [i, customer] of customers.entries()) {
      const loop = await start({ role: 'loop', url: receiver.url, requests: customer.signed(SIGNED) })
      const bench = new Bench(service, receiver, loop.child, customer)
      for (const concurrency of numbersOf(concurrencies)) {
        rows.push([concurrency, counts[i] ?? 0, ...(await bench.measure(concurrency, Number(rounds), Number(seconds)))])
      }
      await bench.expectRecorded(stored)
    }
    const [fsync] = await service.database.query<{ setting: string }>(sql`select current_setting('fsync') as setting`)
    process.stdout.write(
      `${conditions()}; PostgreSQL: ${cluster.describe}, fsync ${fsync?.setting}; ${stored * customers.length} attempts stored before; ${rounds} rounds of ${seconds} s, interleaved with the loop; writer, worker, receiver and database on the same cores\n\n${table(HEAD, rows)}\n`,
    )
  } finally {
    for (const child of children) child.kill()
    await cluster.stop()
  }
}

const HEAD = [
  ...['under way', 'endpoints', 'deliveries/s', 'loop/s', 'ratio', 'p50 ms', 'p95 ms', 'p99 ms'],
  ...['half load/s', 'p50 ms', 'p95 ms', 'p99 ms', 'verified'],
]

const numbersOf = (list: string) => list.split(',').map(Number)

class Bench {
  readonly #service: Service
  readonly #receiver: Receiver
  readonly #loop: ChildProcess
  readonly #customer: Customer
  #emitted = 0

  constructor(service: Service, receiver: Receiver, loop: ChildProcess, customer: Customer) {
    this.#service = service
    this.#receiver = receiver
    this.#loop = loop
    this.#customer = customer
  }

  async measure(concurrency: number, rounds: number, seconds: number): Promise<(number | string)[]> {
    const ours: Sample[] = []
    const bare: number[] = []
    // The first round warms up and is not counted.
    for (let n = -1; n < rounds; n++) {
      const length = n < 0 ? 1 : seconds
      const loop = await this.#bare(concurrency, length)
      const sample = await this.#full(concurrency, length)
      if (n < 0) continue
      bare.push(loop)
      ours.push(sample)
    }
    const perSecond = median(ours.map((sample) => sample.perSecond))
    const ratio = median(ours.map((sample, i) => sample.perSecond / (bare[i] ?? 1)))
    const half = await this.#paced(perSecond / 2, seconds * rounds)
    return [
      Math.round(perSecond),
      Math.round(median(bare)),
      round(ratio),
      ...percentiles(ours.flatMap(({ latencies }) => latencies)),
      Math.round(half.perSecond),
      ...percentiles(half.latencies),
      '100 %',
    ]
  }

  async #bare(concurrency: number, seconds: number): Promise<number> {
    this.#loop.send({ concurrency, seconds })
    const [{ perSecond }] = await once(this.#loop, 'message')
    return perSecond
  }

  /** Keeps so many deliveries under way: as they arrive, as many events are written. */
  #full(concurrency: number, seconds: number): Promise<Sample> {
    return this.#sample(async (emit) => {
      const end = performance.now() + seconds * 1000
      for (let emitted = 0; performance.now() < end; ) {
        const count = Math.min(concurrency - (emitted - this.#receiver.arrived), BATCH)
        if (count > 0) {
          emitted += count
          await emit(count)
        } else await this.#receiver.arrival()
      }
    })
  }

  /** Writes so many events a second, however their deliveries fare. */
  #paced(perSecond: number, seconds: number): Promise<Sample> {
    return this.#sample(async (emit) => {
      const start = performance.now()
      for (let emitted = 0; performance.now() < start + seconds * 1000; await delay(PACE_MS)) {
        const due = Math.floor(((performance.now() - start) / 1000) * perSecond) - emitted
        emitted += due
        if (due > 0) await emit(due)
      }
    })
  }

  async #sample(write: (emit: (count: number) => Promise<void>) => Promise<void>): Promise<Sample> {
    await this.#receiver.ask({ reset: true })
    const start = performance.now()
    let emitted = 0
    await write(async (count) => {
      emitted += count
      await this.#customer.emit(count)
    })
    while (this.#receiver.arrived < emitted) await this.#receiver.arrival()
    const elapsed = (performance.now() - start) / 1000
    const { arrived, refused, repeated, latencies } = await this.#receiver.ask({})
    if (arrived !== emitted || refused > 0 || repeated > 0)
      throw new Error(`Of ${emitted} deliveries ${arrived} arrived, ${refused} unverified, ${repeated} again.`)
    this.#emitted += emitted
    return { perSecond: arrived / elapsed, latencies }
  }

  async expectRecorded(stored: number): Promise<void> {
    const expected = stored + this.#emitted
    for (let waited = 0; ; waited += 100) {
      const count = await recorded(this.#service.database, this.#customer)
      if (count === expected) return
      if (waited > PATIENCE_MS) throw new Error(`Of ${expected} attempts ${count} are recorded.`)
      await delay(100)
    }
  }
}

interface Sample {
  perSecond: number
  latencies: number[]
}

function percentiles(values: number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b)
  return [0.5, 0.95, 0.99].map((part) => sorted[Math.ceil(part * sorted.length) - 1] ?? 0)
}

/** The receiver's process, as seen from here. */
class Receiver extends EventEmitter {
  readonly url: string
  readonly #child: ChildProcess
  arrived = 0

  constructor(child: ChildProcess, url: string) {
    super()
    this.url = url
    this.#child = child
    child.on('message', (message: { arrived: number } | { seen: Seen }) => {
      if ('seen' in message) this.emit('seen', message.seen)
      else {
        this.arrived = message.arrived
        this.emit('arrival')
      }
    })
  }

  /** The next report of arrivals. */
  async arrival(): Promise<void> {
    await once(this, 'arrival', { signal: AbortSignal.timeout(PATIENCE_MS) })
  }

  async ask(message: { secrets: Record<string, string> } | { reset?: true }): Promise<Seen> {
    this.#child.send(message)
    const [seen] = await once(this, 'seen')
    if ('reset' in message) this.arrived = 0
    return seen
  }
}
