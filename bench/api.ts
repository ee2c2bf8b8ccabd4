import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { createApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { openPostgres } from '../server/src/platform/db/postgres.ts'
import { createLog } from '../server/src/platform/log.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { parseSecretKeys } from '../server/src/platform/secret.ts'
import { startCluster } from '../server/test/postgres-cluster.ts'
import { type Recorded, recording } from './api/recording.ts'
import type { Role } from './api/server.ts'
import { AS_STARTED, built } from './built.ts'
import { callsOf, newTenant } from './in-process.ts'
import { conditions, median, round, table } from './table.ts'

export const SECRET_KEYS = `bench:${Buffer.alloc(32, 1).toString('base64')}`
const BODIES = 500
const CONNECTIONS = 32
const VARIANTS = ['bare', 'precedent', 'fastify'] as const
type Variant = (typeof VARIANTS)[number]

export const READ = '/v1/organizations/documents/get'
const WRITE = '/v2/users/add'

/**
 * The request bodies, in rotation: the read asks for ten documents, the write upserts one user into an organization.
 */
export const BODY: Record<string, (i: number) => object> = {
  [READ]: (i) => ({
    organizationId: 'bench',
    documentIds: Array.from({ length: 10 }, (_, n) => `doc-${(i * 7 + n) % 1000}`),
  }),
  [WRITE]: (i) => ({
    organizationId: 'bench',
    users: [{ userId: `user-${i}`, name: `User ${i}`, email: `user-${i}@example.com` }],
  }),
}

/**
 * Measures requests per second and CPU per request of a read and a write. It reports ratios to bare node:http with the
 * same statements through the same driver, and to Fastify without authentication. The rounds are interleaved in one
 * run.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } },
  })
  const { rounds, seconds } = values
  const cluster = await startCluster()
  try {
    const { headers, calls, withoutAuth } = await prepare(cluster.url)
    const servers = new Map<Variant, Server>()
    for (const variant of VARIANTS) {
      const roleCalls = variant === 'fastify' ? withoutAuth : calls
      servers.set(
        variant,
        await startServer({ variant, databaseUrl: cluster.url, secretKeys: SECRET_KEYS, calls: roleCalls }),
      )
    }
    const results = []
    for (const path of [READ, WRITE])
      results.push(await measure(path, servers, { headers, rounds: Number(rounds), seconds: Number(seconds) }))
    for (const { child } of servers.values()) child.send('end')
    process.stdout.write(
      `${conditions()}; PostgreSQL: ${cluster.describe}; ${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s each, interleaved; load generator on the same cores\n\n`,
    )
    process.stdout.write(
      `${table(['operation', 'server', 'requests/s', 'CPU µs/request', 'throughput ratio to bare', 'CPU ratio to bare', 'p50 ms', 'p99 ms'], results.flat())}\n`,
    )
  } finally {
    await cluster.stop()
  }
}

export interface Server {
  child: ChildProcess
  url: string
}

let program: Promise<string> | undefined

/** Runs the server in a process of its own, until `child.send('end')`. */
export async function startServer(role: Role): Promise<Server> {
  program ??= built('api/server')
  const child = fork(await program, AS_STARTED)
  child.send(role)
  const [{ port }] = await once(child, 'message')
  return { child, url: `http://127.0.0.1:${port}` }
}

async function measure(
  path: string,
  servers: Map<Variant, Server>,
  { headers, rounds, seconds }: { headers: Record<string, string>; rounds: number; seconds: number },
) {
  const samples = new Map(VARIANTS.map((variant) => [variant, [] as Sample[]]))
  // The first round warms up and is not counted.
  for (let n = -1; n < rounds; n++) {
    for (const [variant, server] of servers) {
      const sample = await load(server, path, headers, n < 0 ? 1 : seconds)
      if (n >= 0) samples.get(variant)?.push(sample)
    }
  }
  const of = (variant: Variant, figure: keyof Sample) => samples.get(variant)?.map((sample) => sample[figure]) ?? []
  const ratio = (variant: Variant, figure: keyof Sample) =>
    round(median(of(variant, figure).map((value, i) => value / (of('bare', figure)[i] ?? 1))))
  return VARIANTS.map((variant) => [
    path,
    variant,
    Math.round(median(of(variant, 'perSecond'))),
    Math.round(median(of(variant, 'cpuMicros'))),
    ratio(variant, 'perSecond'),
    ratio(variant, 'cpuMicros'),
    median(of(variant, 'p50')),
    median(of(variant, 'p99')),
  ])
}

interface Sample {
  perSecond: number
  cpuMicros: number
  p50: number
  p99: number
}

async function load(
  { child, url }: Server,
  path: string,
  headers: Record<string, string>,
  seconds: number,
): Promise<Sample> {
  child.send('start')
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: Array.from({ length: BODIES }, (_, i) => ({
      method: 'POST' as const,
      path,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ data: BODY[path]?.(i) }),
    })),
  })
  child.send('stop')
  const [{ cpu }] = await once(child, 'message')
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${path}: ${result.non2xx} answers were no success`)
  const total = result.requests.total
  return {
    perSecond: total / result.duration,
    cpuMicros: (cpu.user + cpu.system) / total,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }
}

/** A migrated database with 1000 documents, and the statements of each request, recorded from the real app. */
export async function prepare(databaseUrl: string) {
  const database = await openPostgres({
    url: databaseUrl,
    poolSize: 4,
    pipeline: true,
    statementTimeoutMs: 60_000,
    onError: () => {},
  })
  await migrate(database)
  const recorder = recording(database)
  const config = readConfig({ SECRET_KEYS, DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' })
  const app = createApp({
    config,
    database: recorder.database,
    secretKeys: parseSecretKeys(SECRET_KEYS),
    log: createLog(config),
  })
  const call = callsOf(app)
  const { headers } = await newTenant(call)
  const documents = Array.from({ length: 1000 }, (_, i) => ({ documentId: `doc-${i}`, documentName: `Document ${i}` }))
  await call('/v2/organizations/add', { organizations: [{ organizationId: 'bench' }] }, headers)
  await call('/v2/organizations/documents/add', { organizationId: 'bench', documents }, headers)
  const calls: Record<string, Recorded[][]> = {}
  for (const [path, body] of Object.entries(BODY)) {
    const ofPath: Recorded[][] = []
    for (let i = 0; i < BODIES; i++) {
      recorder.take()
      await call(path, body(i), headers)
      ofPath.push(recorder.take())
    }
    calls[path] = ofPath
  }
  await app.http.close()
  await database.close()
  const isAuth = ({ text }: Recorded) => text.includes('auth_token')
  const withoutAuth = Object.fromEntries(
    Object.entries(calls).map(([path, ofPath]) => [
      path,
      ofPath.map((statements) => statements.filter((one) => !isAuth(one))),
    ]),
  )
  return { headers, calls, withoutAuth }
}
