import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { type App, createApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { openEmbedded } from '../server/src/platform/db/embedded.ts'
import { createLog } from '../server/src/platform/log.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { parseSecretKeys } from '../server/src/platform/secret.ts'
import { type Recorded, recording } from './api/recording.ts'
import { SECRET_KEYS } from './api.ts'
import { AS_STARTED, built, SERVER } from './built.ts'
import type { BareTask } from './embedded/bare.ts'
import { callsOf, newTenant } from './in-process.ts'
import { conditions, median, round, table } from './table.ts'

const THREADS_PRESENT = 200
/** Calls that both sides make first and that do not count: both compile what they use most. */
const WARM_UP = 200

interface Kind {
  what: string
  path: string
  body(i: number): object
}

const KINDS: Kind[] = [
  {
    what: 'a thread, with its event',
    path: '/v2/commentannotations/add',
    body: (i) => ({
      organizationId: 'bench',
      documentId: `doc-${i % 100}`,
      commentAnnotations: [thread(`new-${i}`)],
    }),
  },
  {
    what: 'a user',
    path: '/v2/users/add',
    body: (i) => ({
      organizationId: 'bench',
      users: [{ userId: `user-${i}`, name: `User ${i}`, email: `user-${i}@example.com` }],
    }),
  },
  {
    what: 'ten documents, read',
    path: '/v1/organizations/documents/get',
    body: (i) => ({
      organizationId: 'bench',
      documentIds: Array.from({ length: 10 }, (_, n) => `doc-${(i * 7 + n) % 100}`),
    }),
  },
  {
    what: 'two threads, read',
    path: '/v2/commentannotations/get',
    body: (i) => ({ organizationId: 'bench', documentId: `doc-${i % 100}` }),
  },
]

const thread = (annotationId: string) => ({
  annotationId,
  commentData: [{ commentText: `A comment of ${annotationId}.`, from: { userId: 'ada' } }],
})

/**
 * Measures the service on its embedded database. Each figure is a ratio to the same statements on PGlite alone, with
 * the same durability. The rounds are interleaved in one run, each on a copy of the same files. Of several programs
 * each has a row, in their order.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '3' },
      calls: { type: 'string', default: '1000' },
      connections: { type: 'string', default: '16' },
      program: { type: 'string', multiple: true, default: [SERVER] },
    },
  })
  const [calls, connections] = [Number(values.calls), Number(values.connections)]
  const folder = mkdtempSync(join(tmpdir(), 'bench-embedded-'))
  try {
    const original = join(folder, 'original')
    const headers = await prepare(original)
    const bare = await built('embedded/bare')
    const rows = []
    for (const kind of KINDS) {
      const recorded = await record(copyOf(original), kind, headers, calls)
      const limits: number[] = []
      const reached = new Map<string, Reached[]>(values.program.map((program) => [program, []]))
      for (let n = 0; n < Number(values.rounds); n++) {
        const task: BareTask = { cluster: join(copyOf(original), 'postgres'), ...recorded, together: connections }
        limits.push(await measureBare(bare, task))
        // The first to run has been slower by up to a fifth, so each is the first by turns.
        for (const [program, results] of n % 2 === 0 ? [...reached] : [...reached].reverse()) {
          const load = { program, dataDir: copyOf(original), kind, headers, calls, connections }
          results.push(await measureService(load))
        }
      }
      for (const results of reached.values()) rows.push(toRow(kind, limits, results))
    }
    process.stdout.write(
      `${conditions()}; ${connections} connections, ${calls} calls a round, median of ${values.rounds} rounds, interleaved; load generator on the same cores\n\n`,
    )
    process.stdout.write(
      `${table(['what', 'PGlite alone, calls/s', 'service, calls/s', 'ratio', 'p50 ms', 'p99 ms'], rows)}\n`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function toRow({ what }: Kind, limits: number[], results: Reached[]): (string | number)[] {
  const of = (read: (result: Reached, round: number) => number, digits = 2) => round(median(results.map(read)), digits)
  return [
    what,
    round(median(limits), 0),
    of(({ perSecond }) => perSecond, 0),
    of(({ perSecond }, index) => perSecond / (limits[index] ?? Number.NaN)),
    of(({ p50 }) => p50),
    of(({ p99 }) => p99),
  ]
}

let copies = 0
/** A copy of a data directory, beside it. */
function copyOf(original: string): string {
  const copy = `${original}-${copies++}`
  cpSync(original, copy, { recursive: true })
  return copy
}

/** Makes a data directory with an organization, documents and threads; returns the headers of its API key. */
async function prepare(dataDir: string): Promise<Record<string, string>> {
  const app = await openApp(dataDir)
  const { call } = app
  const { headers } = await newTenant(call)
  const organizationId = 'bench'
  const documents = Array.from({ length: 100 }, (_, i) => ({ documentId: `doc-${i}`, documentName: `Document ${i}` }))
  await call('/v2/users/add', { organizationId, users: [{ userId: 'ada', name: 'Ada' }] }, headers)
  await call('/v2/organizations/documents/add', { organizationId, documents }, headers)
  for (let i = 0; i < THREADS_PRESENT; i++) {
    const data = { organizationId, documentId: `doc-${i % 100}`, commentAnnotations: [thread(`old-${i}`)] }
    await call('/v2/commentannotations/add', data, headers)
  }
  await app.close()
  return headers
}

/**
 * The statements of each call, in the order of their run. The service makes the same calls: it warms up, then counts.
 */
async function record(dataDir: string, kind: Kind, headers: Record<string, string>, calls: number) {
  const app = await openApp(dataDir)
  async function statementsOf(from: number, count: number): Promise<Recorded[][]> {
    const recorded: Recorded[][] = []
    for (let i = from; i < from + count; i++) {
      app.take()
      await app.call(kind.path, kind.body(i), headers)
      recorded.push(app.take())
    }
    return recorded
  }
  const warmUp = await statementsOf(calls, WARM_UP)
  const recorded = await statementsOf(0, calls)
  await app.close()
  return { warmUp, calls: recorded }
}

async function openApp(dataDir: string) {
  const database = await openEmbedded({ dataDir })
  await migrate(database)
  const recorder = recording(database)
  const config = readConfig({ SECRET_KEYS, DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
  const secretKeys = parseSecretKeys(SECRET_KEYS)
  const { http }: App = createApp({ config, database: recorder.database, secretKeys, log: createLog(config) })
  return {
    take: recorder.take,
    call: callsOf({ http }),
    async close() {
      await http.close()
      await database.close()
    },
  }
}

async function measureBare(program: string, task: BareTask): Promise<number> {
  const child = fork(program, AS_STARTED)
  child.send(task)
  const [{ perSecond }] = await once(child, 'message')
  await once(child, 'exit')
  return perSecond
}

interface Reached {
  perSecond: number
  p50: number
  p99: number
}

interface Load {
  program: string
  dataDir: string
  kind: Kind
  headers: Record<string, string>
  calls: number
  connections: number
}

/** Runs the server as it starts, and calls it once with each body. */
async function measureService({ program, dataDir, kind, headers, calls, connections }: Load): Promise<Reached> {
  const env = { ...process.env, SECRET_KEYS, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' }
  const child = fork(program, { ...AS_STARTED, env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const [greeting] = child.stdout ? await once(child.stdout, 'data') : ['']
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(greeting))?.[0] ?? ''
  let next = calls
  // Each body once, whichever connection is free.
  const setupRequest = (request: object) => ({ ...request, body: JSON.stringify({ data: kind.body(next++) }) })
  const request = {
    method: 'POST' as const,
    path: kind.path,
    headers: { ...headers, 'content-type': 'application/json' },
  }
  const send = (amount: number) => load({ url, connections, amount, requests: [{ ...request, setupRequest }] })
  await send(WARM_UP)
  next = 0
  const { seconds, result } = await send(calls)
  const { latency, non2xx, errors } = result
  if (non2xx > 0 || errors > 0) throw new Error(`${kind.path}: ${non2xx + errors} calls did not succeed`)
  child.kill()
  await once(child, 'exit')
  return { perSecond: calls / seconds, p50: latency.p50, p99: latency.p99 }
}

/** Sends the calls. The time ends with the last answer: autocannon itself ends only at its next full second. */
async function load(options: autocannon.Options): Promise<{ seconds: number; result: autocannon.Result }> {
  const start = performance.now()
  let end = start
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)))
    instance.on('response', () => {
      end = performance.now()
    })
  })
  return { seconds: (end - start) / 1000, result }
}
