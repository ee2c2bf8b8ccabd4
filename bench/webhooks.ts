import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { sql } from '../server/src/platform/db/db.ts'
import { startCluster } from '../server/test/postgres-cluster.ts'
import { conditions, table } from './table.ts'
import { hanging } from './webhooks-hanging.ts'
import { Bench, type Length } from './webhooks-measure.ts'
import { Processes } from './webhooks-processes.ts'
import { type Customer, newCustomer, openService, store } from './webhooks-setup.ts'

const SECRET_KEYS = `bench:${Buffer.alloc(32, 1).toString('base64')}`
// Requests that are signed beforehand for the loop.
const SIGNED = 1_000

const END_TO_END = [
  ...['under way', 'endpoints', 'deliveries/s', 'loop/s', 'ratio', 'p50 ms', 'p95 ms', 'p99 ms'],
  ...['half load/s', 'p50 ms', 'p95 ms', 'p99 ms', 'verified'],
]
const BACKLOG = ['endpoints', 'backlog', 'deliveries/s', 'loop/s', 'ratio', 'verified']
const HANGING = [
  ...['hanging', 'events/s', 'p50 ms without', 'p95 ms without', 'p99 ms without'],
  ...['p50 ms', 'p95 ms', 'p99 ms', 'p95 ratio'],
]

/**
 * Deliveries beside a bare undici loop that posts the same bodies, rounds interleaved: end to end, with so many under way,
 * and from a backlog; then an endpoint beside others that hang. A delivery that is not verified, comes twice, or has no
 * attempt recorded fails the run. Arguments: concurrencies, numbers of endpoints, rounds, seconds; `--stored`: attempts in
 * the database before.
 */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { stored: { type: 'string', default: '0' } },
  })
  const [concurrencies = '1,32,256', endpoints = '1,50,500', rounds = '3', seconds = '3'] = positionals
  const length = { rounds: Number(rounds), seconds: Number(seconds) }
  const load = loadavg()[0]?.toFixed(1)
  const cluster = await startCluster()
  if ('unavailable' in cluster) throw new Error(cluster.unavailable)
  const processes = await Processes.build()
  try {
    const env = {
      SECRET_KEYS,
      DATABASE_URL: cluster.url,
      LOG_LEVEL: 'error',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      RATE_LIMIT_WORKSPACE_CREATE: '0',
    }
    const service = await openService(env)
    const receiver = await processes.receiver()
    const counts = numbersOf(endpoints)
    const customers: Customer[] = []
    for (const count of counts) customers.push(await newCustomer(service, receiver.url, count))
    const stored = Math.floor(Number(values.stored) / customers.length)
    for (const customer of customers) {
      say(`storing ${stored} deliveries to ${customer.paths.length} endpoints`)
      await store(service.database, customer, stored)
      await receiver.tell({ secrets: customer.secrets })
    }
    const worker = await processes.worker(env)
    const tables = new Tables(numbersOf(concurrencies), length)
    for (const customer of customers) {
      const loop = await processes.loop({ url: receiver.url, requests: customer.signed(SIGNED) })
      const bench = new Bench({ service, receiver, worker, loop, customer })
      await tables.measure(bench, customer.paths.length)
      await bench.expectRecorded(stored)
    }
    say('beside endpoints that hang')
    const besides = await hanging(service, receiver, tables.slowest / 2)
    const [fsync] = await service.database.query<{ setting: string }>(sql`select current_setting('fsync') as setting`)
    process.stdout.write(
      `${conditions()}; PostgreSQL: ${cluster.describe}, fsync ${fsync?.setting}; ${stored * customers.length} attempts stored before; ${rounds} rounds of ${seconds} s, interleaved with the loop; writer, worker, receiver and database on the same cores; load of the machine before: ${load}\n\n`,
    )
    for (const each of [table(END_TO_END, tables.endToEnd), table(BACKLOG, tables.backlog), table(HANGING, besides)]) {
      process.stdout.write(`${each}\n\n`)
    }
  } finally {
    processes.stop()
    await cluster.stop()
  }
}

const numbersOf = (list: string) => list.split(',').map(Number)

const say = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)

/** The rows as they are measured. */
class Tables {
  readonly endToEnd: (number | string)[][] = []
  readonly backlog: (number | string)[][] = []
  readonly #concurrencies: number[]
  readonly #length: Length

  constructor(concurrencies: number[], length: Length) {
    this.#concurrencies = concurrencies
    this.#length = length
  }

  /** The lowest rate with the most under way. */
  get slowest(): number {
    const most = Math.max(...this.#concurrencies)
    return Math.min(...this.endToEnd.filter(([concurrency]) => concurrency === most).map((row) => Number(row[2])))
  }

  async measure(bench: Bench, endpoints: number): Promise<void> {
    for (const concurrency of this.#concurrencies) {
      const measured = await bench.endToEnd(concurrency, this.#length)
      this.endToEnd.push([concurrency, endpoints, ...measured])
      say(`${concurrency} under way, ${endpoints} endpoints: ${measured.join(' ')}`)
    }
    const most = Math.max(...this.#concurrencies)
    const deliveries = Math.max(1_000, Math.round((this.slowest * this.#length.seconds) / 100) * 100)
    const measured = await bench.backlog(most, deliveries, this.#length)
    this.backlog.push([endpoints, ...measured])
    say(`backlog, ${endpoints} endpoints: ${measured.join(' ')}`)
  }
}
