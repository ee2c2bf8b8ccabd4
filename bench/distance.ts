import { parseArgs } from 'node:util'
import { sql } from '../server/src/platform/db/db.ts'
import { openPostgres } from '../server/src/platform/db/postgres.ts'
import { startCluster } from '../server/test/postgres-cluster.ts'
import { startServer } from './api.ts'
import { startDelayingProxy } from './distance/delaying-proxy.ts'
import type { Subject } from './growth/calls/call.ts'
import { fill } from './growth/fill.ts'
import { writePrototypes } from './growth/prototype.ts'
import { CALLS, isTaking, numbered } from './growth/typical-calls.ts'
import { caller, newApiKey, newDatabase, repeat, roleOf } from './subject.ts'
import { conditions, median, round, table } from './table.ts'

/** The records of each kind. */
const ROWS = 2_000

/**
 * Calls the operations while their database is far away, and reports for how many round trips each of them waits: the
 * time of a call by that of one small statement on the same way. Activity log, inbox and webhooks are on. `--delay` is
 * that of each packet, in ms, and `--only` names a part of the paths.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      delay: { type: 'string', default: '15' },
      calls: { type: 'string', default: '5' },
      only: { type: 'string', default: '' },
    },
  })
  const cluster = await startCluster()
  try {
    const { database, url } = await newDatabase(cluster.url, 'distance')
    const proxy = await startDelayingProxy(url)
    const env = { RATE_LIMIT_WORKSPACE_CREATE: '0', WORKERS: 'off' }
    const { child, url: baseUrl } = await startServer({ ...roleOf(proxy.url), env })
    const credentials = await newApiKey(baseUrl)
    const prototypes = await writePrototypes(baseUrl, credentials)
    const [event] = await database.query<{ id: string }>(sql`
      select id from event where api_key = ${credentials.apiKey} and type = 'comment_annotation.add'`)
    const subject = { ...credentials, ...prototypes, eventId: event?.id ?? '', rows: ROWS }
    await fill(database, [subject])
    proxy.delay(Number(values.delay))
    const oneTrip = await roundTrip(proxy.url, Number(values.calls))
    const waits = await measure(baseUrl, subject, values)
    child.send('end')
    const rows = waits.map(([path, time]) => [path, round(time, 1), round(time / oneTrip, 1)])
    process.stdout.write(
      `${conditions()}; PostgreSQL: ${cluster.describe}; one statement takes ${round(oneTrip, 1)} ms; ${values.calls} calls each, one at a time\n\n`,
    )
    process.stdout.write(`${table(['operation', 'p50 ms', 'round trips'], rows)}\n`)
  } finally {
    await cluster.stop()
  }
}

/** The time of a statement that does nothing, in ms. */
async function roundTrip(url: string, calls: number): Promise<number> {
  const database = await openPostgres({ url, poolSize: 1, pipeline: true, statementTimeoutMs: 0, onError: () => {} })
  const times = await repeat(calls, async () => {
    const start = performance.now()
    await database.query(sql`select 1`)
    return performance.now() - start
  })
  await database.close()
  return median(times)
}

/** The median time of each call, the slowest first. Those that take records away come last. */
async function measure(
  baseUrl: string,
  subject: Subject,
  { only, calls }: { only: string; calls: string },
): Promise<[path: string, time: number][]> {
  const chosen = Object.keys(CALLS).filter((path) => path.includes(only))
  const paths = [...chosen.filter((path) => !isTaking(path)), ...chosen.filter(isTaking)]
  const { time, close } = caller(baseUrl, subject)
  const measured: [string, number][] = []
  for (const path of paths) {
    let i = 0
    const times = await repeat(Number(calls), () => {
      const n = numbered(path, i, subject)
      return time(path, CALLS[path]?.({ i: i++, n, subject }) ?? {})
    })
    measured.push([path, median(times)])
  }
  close()
  return measured.sort(([, a], [, b]) => b - a)
}
