import { parseArgs } from 'node:util'
import { createApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { type Database, sql } from '../server/src/platform/db/db.ts'
import { createLog } from '../server/src/platform/log.ts'
import { parseSecretKeys } from '../server/src/platform/secret.ts'
import { startCluster } from '../server/test/postgres-cluster.ts'
import { SECRET_KEYS, startServer } from './api.ts'
import type { Subject } from './growth/calls/call.ts'
import { type Cost, explaining } from './growth/explaining.ts'
import { fill } from './growth/fill.ts'
import { writePrototypes } from './growth/prototype.ts'
import { CALLS, isTaking, LEFT_OUT, numbered } from './growth/typical-calls.ts'
import { caller, headersOf, newApiKey, newDatabase, quantile, roleOf } from './subject.ts'
import { conditions, round, table } from './table.ts'

/** Keys beside the measured ones, each as large as the smallest of those. */
const NEIGHBOURS = 999
const FEW = 100

/**
 * Calls the operations in keys of different sizes and reports what its statements read, and how long it takes. All keys
 * share a database, so the smallest key is one of 1,000 beside a large one. `--rows` names the sizes, `--only` a part
 * of the paths.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string', default: '10000,100000,1000000' },
      small: { type: 'string', default: '0' },
      rounds: { type: 'string', default: '10' },
      only: { type: 'string', default: '' },
    },
  })
  const sizes = [FEW, ...values.rows.split(',').map(Number)]
  const cluster = await startCluster()
  try {
    const { database, url } = await newDatabase(cluster.url, 'growth')
    const env = { RATE_LIMIT_WORKSPACE_CREATE: '0' }
    const { child, url: baseUrl } = await startServer({ ...roleOf(url), env })
    const subjects = await prepare(database, baseUrl, sizes, Number(values.small))
    const result = await measure({ database, databaseUrl: url, baseUrl }, subjects, values)
    child.send('end')
    process.stdout.write(`${conditions()}; PostgreSQL: ${cluster.describe}\n\n${result}\n`)
  } finally {
    await cluster.stop()
  }
}

/** Measures all calls, those that take records away last, and returns the table. */
async function measure(
  { database, databaseUrl, baseUrl }: { database: Database; databaseUrl: string; baseUrl: string },
  subjects: Subject[],
  { only, rounds }: { only: string; rounds: string },
): Promise<string> {
  const all = Object.keys(CALLS).filter((path) => path.includes(only))
  const paths = [...all.filter((path) => !isTaking(path)), ...all.filter(isTaking)]
  const costs = await measureCosts(database, databaseUrl, subjects, paths)
  const sizes = subjects.map(({ rows }) => rows)
  // Filling takes long: what is known is told before the times are measured.
  process.stdout.write(
    `What the calls read; the same with their times follows.\n\n${report(sizes, costs, new Map())}\n\n`,
  )
  const times = await measureTimes(baseUrl, subjects, paths, Number(rounds))
  return `${report(sizes, costs, times)}\n\n${rounds} calls each, in turn. Not called: ${Object.keys(LEFT_OUT).join(', ')}`
}

async function prepare(database: Database, baseUrl: string, sizes: number[], small: number): Promise<Subject[]> {
  const subjects: Subject[] = []
  for (const rows of sizes) {
    const credentials = await newApiKey(baseUrl, `of-${rows}`)
    const prototypes = await writePrototypes(baseUrl, credentials)
    const [event] = await database.query<{ id: string }>(sql`
      select id from event where api_key = ${credentials.apiKey} and type = 'comment_annotation.add'`)
    subjects.push({ ...credentials, ...prototypes, eventId: event?.id ?? '', rows })
  }
  const like = subjects[0]?.apiKey ?? ''
  const neighbours = Array.from({ length: NEIGHBOURS }, (_, i) => ({ apiKey: `neighbour-${i}`, rows: FEW, like }))
  const measured = subjects.map((subject) => (subject.rows === Math.max(...sizes) ? { ...subject, small } : subject))
  await fill(database, [...measured, ...neighbours])
  return subjects
}

type BySubject<T> = Map<string, T[]>

/** What the statements of each call read, by path and subject: the least of three calls. */
async function measureCosts(
  database: Database,
  databaseUrl: string,
  subjects: Subject[],
  paths: string[],
): Promise<BySubject<Cost>> {
  const explained = explaining(database)
  const config = readConfig({ SECRET_KEYS, DATABASE_URL: databaseUrl, LOG_LEVEL: 'fatal' })
  const secretKeys = parseSecretKeys(SECRET_KEYS)
  const app = createApp({ config, database: explained.database, secretKeys, log: createLog(config) })
  const costs: BySubject<Cost> = new Map()
  for (const path of paths) {
    const ofPath: Cost[] = []
    for (const subject of subjects) {
      const calls: Cost[] = []
      for (let i = 0; i < 3; i++) {
        explained.take()
        const data = CALLS[path]?.({ i, n: numbered(path, i, subject), subject })
        const answer = await app.http.inject({
          method: 'POST',
          url: path,
          headers: headersOf(subject),
          payload: { data },
        })
        if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.body}`)
        calls.push(explained.take())
      }
      const least = (figure: keyof Cost) => Math.min(...calls.map((cost) => cost[figure]))
      ofPath.push({ buffers: least('buffers'), rows: least('rows'), discarded: least('discarded') })
    }
    costs.set(path, ofPath)
  }
  await app.http.close()
  return costs
}

/** The times of calls in milliseconds, by path and subject. */
async function measureTimes(
  baseUrl: string,
  subjects: Subject[],
  paths: string[],
  rounds: number,
): Promise<BySubject<number[]>> {
  const callers = subjects.map((subject) => ({ subject, call: caller(baseUrl, subject) }))
  const times: BySubject<number[]> = new Map()
  for (const path of paths) {
    const ofPath = subjects.map((): number[] => [])
    // The first calls of a path are not counted.
    for (let i = 3; i < rounds + 6; i++) {
      for (const [index, { subject, call }] of callers.entries()) {
        const data = CALLS[path]?.({ i, n: numbered(path, i, subject), subject })
        const elapsed = await call.time(path, data ?? {})
        if (i >= 6) ofPath[index]?.push(elapsed)
      }
    }
    times.set(path, ofPath)
  }
  for (const { call } of callers) call.close()
  return times
}

function report(sizes: number[], costs: BySubject<Cost>, times: BySubject<number[]>): string {
  const head = [
    'operation',
    ...['buffers', 'rows', 'discarded', 'p50 ms', 'p95 ms'].map((figure) => `${figure} at ${sizes.join(' / ')}`),
  ]
  const growth = (figures: number[]) => round((figures.at(-1) ?? 0) / Math.max(1, figures[1] ?? 1))
  const rows = [...costs].map(([path, ofPath]) => {
    const buffers = ofPath.map((cost) => cost.buffers)
    const rowsRead = ofPath.map((cost) => cost.rows)
    const inVain = ofPath.map((cost) => cost.discarded)
    const at = (share: number) => (times.get(path) ?? []).map((ofSize) => round(quantile(ofSize, share), 1))
    const figures = [buffers, rowsRead, inVain, at(0.5), at(0.95)]
    return [path, ...figures.map((each) => each.join(' / ')), ...[buffers, at(0.5)].map(growth)]
  })
  return table([...head, 'growth of buffers', 'growth of p50'], rows)
}
