import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { sql } from '../server/src/platform/db/db.ts'
import { startCluster } from '../server/test/postgres-cluster.ts'
import { SECRET_KEYS } from './api.ts'
import { newDatabase } from './subject.ts'
import { conditions, table } from './table.ts'
import { hanging } from './webhooks/hanging.ts'
import { Bench, type Length } from './webhooks/measure.ts'
import { Processes, type Receiver } from './webhooks/processes.ts'
import { type Customer, newCustomer, openService, store } from './webhooks/setup.ts'
import { besideStored } from './webhooks/stored.ts'

// Single events whose way is measured while nothing else is.
const IDLE_EVENTS = 200
// Requests that are signed beforehand for the loop.
const SIGNED = 1_000

const END_TO_END = [
  ...['under way', 'endpoints', 'deliveries/s', 'loop/s', 'ratio', 'p50 ms', 'p95 ms', 'p99 ms'],
  ...['half load/s', 'p50 ms', 'p95 ms', 'p99 ms', 'verified'],
]
const IDLE = ['endpoints', 'commit to arrival when idle, p50 ms', 'p95 ms', 'p99 ms']
const BACKLOG = ['endpoints', 'backlog', 'deliveries/s', 'loop/s', 'ratio', 'verified']
const storedHead = (stored: number) => ['', 'endpoints', 'deliveries/s', `with ${stored} stored`, 'ratio']
const HANGING = [
  ...['hanging', 'events/s', 'p50 ms without', 'p95 ms without', 'p99 ms without'],
  ...['p50 ms', 'p95 ms', 'p99 ms', 'p95 ratio'],
]

/**
 * Measures deliveries beside a bare undici loop that posts the same bodies, rounds interleaved: end to end, with so
 * many under way, and from a backlog. Then the time from commit to arrival of single events, and an endpoint beside
 * others that hang. A delivery that is not verified, comes twice, or has no attempt recorded fails the run.
 * `--concurrency` and `--endpoints` take lists. `--stored N` runs the same in turn on a second database that holds N
 * attempts beforehand.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      concurrency: { type: 'string', default: '1,32,256' },
      endpoints: { type: 'string', default: '1,50,500' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '3' },
      stored: { type: 'string', default: '0' },
    },
  })
  const { concurrency, endpoints, rounds, seconds } = values
  const length = { rounds: Number(rounds), seconds: Number(seconds) }
  const stored = Number(values.stored)
  const load = loadavg()[0]?.toFixed(1)
  const cluster = await startCluster()
  const processes = await Processes.build()
  try {
    const receiver = await processes.receiver()
    const counts = numbersOf(endpoints)
    const fresh = await subject(cluster.url, 'webhooks', { processes, receiver, counts, stored: 0 })
    const tables = new Tables(numbersOf(concurrency), length)
    for (const [i, bench] of fresh.benches.entries()) {
      await tables.measure(bench, counts[i] ?? 0)
      await bench.expectRecorded(0)
    }
    const all = [table(END_TO_END, tables.endToEnd), table(IDLE, tables.idle), table(BACKLOG, tables.backlog)]
    if (stored > 0) {
      say(`storing ${stored} deliveries`)
      const old = await subject(cluster.url, 'webhooks_stored', { processes, receiver, counts, stored })
      all.push(table(storedHead(stored), await storedRows(fresh.benches, old.benches, counts, tables)))
      for (const bench of fresh.benches) await bench.expectRecorded(0)
      for (const bench of old.benches) await bench.expectRecorded(Math.floor(stored / counts.length))
    }
    say('beside endpoints that hang')
    all.push(table(HANGING, await hanging(fresh.service, { receiver, worker: fresh.worker }, tables.slowest / 2)))
    const [fsync] = await fresh.service.database.query<{ setting: string }>(
      sql`select current_setting('fsync') as setting`,
    )
    process.stdout.write(
      `${conditions()}; PostgreSQL: ${cluster.describe}, fsync ${fsync?.setting}; ${rounds} rounds of ${seconds} s, interleaved; writer, worker, receiver and database on the same cores; load of the machine before: ${load}\n\n`,
    )
    for (const each of all) process.stdout.write(`${each}\n\n`)
  } finally {
    processes.stop()
    await cluster.stop()
  }
}

interface Wanted {
  processes: Processes
  receiver: Receiver
  /** How many endpoints the customers have. */
  counts: number[]
  /** Attempts in the database before, spread over the customers. */
  stored: number
}

/** A database of its own with a worker, and a benchmark of each customer. */
async function subject(clusterUrl: string, name: string, { processes, receiver, counts, stored }: Wanted) {
  const { database, url } = await newDatabase(clusterUrl, name)
  await database.close()
  const env = {
    SECRET_KEYS,
    DATABASE_URL: url,
    LOG_LEVEL: 'error',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    RATE_LIMIT_WORKSPACE_CREATE: '0',
  }
  const service = await openService(env)
  const customers: Customer[] = []
  for (const count of counts) {
    const customer = await newCustomer(service, receiver.url, count)
    await store(service.database, customer, Math.floor(stored / counts.length))
    await receiver.tell({ secrets: customer.secrets })
    customers.push(customer)
  }
  const worker = await processes.worker(env)
  const benches: Bench[] = []
  for (const customer of customers) {
    const loop = await processes.loop({ url: receiver.url, requests: customer.signed(SIGNED) })
    benches.push(new Bench({ service, receiver, worker, loop, customer }))
  }
  return { service, worker, benches }
}

async function storedRows(fresh: Bench[], stored: Bench[], counts: number[], { most, length, slowest }: Tables) {
  const deliveries = backlogOf(slowest, length)
  const rows: (string | number)[][] = []
  for (const [i, endpoints] of counts.entries()) {
    const pair = { fresh: fresh[i] as Bench, stored: stored[i] as Bench }
    for (const [kind, ...figures] of await besideStored(pair, { concurrency: most, deliveries, length })) {
      rows.push([kind, endpoints, ...figures])
      say(`${kind}, ${endpoints} endpoints, fresh and stored: ${figures.join(' ')}`)
    }
  }
  return rows
}

/** Deliveries that take about as long as a round. */
const backlogOf = (perSecond: number, { seconds }: Length) =>
  Math.max(1_000, Math.round((perSecond * seconds) / 100) * 100)

const numbersOf = (list: string) => list.split(',').map(Number)

const say = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)

/** The rows as they are measured. */
class Tables {
  readonly endToEnd: (number | string)[][] = []
  readonly idle: number[][] = []
  readonly backlog: (number | string)[][] = []
  readonly #concurrencies: number[]
  readonly length: Length

  constructor(concurrencies: number[], length: Length) {
    this.#concurrencies = concurrencies
    this.length = length
  }

  get most(): number {
    return Math.max(...this.#concurrencies)
  }

  /** The lowest rate with the most under way. */
  get slowest(): number {
    return Math.min(...this.endToEnd.filter(([concurrency]) => concurrency === this.most).map((row) => Number(row[2])))
  }

  async measure(bench: Bench, endpoints: number): Promise<void> {
    for (const concurrency of this.#concurrencies) {
      const measured = await bench.endToEnd(concurrency, this.length)
      this.endToEnd.push([concurrency, endpoints, ...measured])
      say(`${concurrency} under way, ${endpoints} endpoints: ${measured.join(' ')}`)
    }
    const idle = await bench.idle(IDLE_EVENTS)
    this.idle.push([endpoints, ...idle])
    say(`idle, ${endpoints} endpoints: ${idle.join(' ')}`)
    const measured = await bench.backlog(this.most, backlogOf(this.slowest, this.length), this.length)
    this.backlog.push([endpoints, ...measured])
    say(`backlog, ${endpoints} endpoints: ${measured.join(' ')}`)
  }
}
