import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { readConfig } from '../src/platform/config.ts'
import { type Database, sql } from '../src/platform/db/db.ts'
import { openEmbedded } from '../src/platform/db/embedded.ts'
import { openEmbedder } from '../src/platform/embedder/open-embedder.ts'
import { createLog } from '../src/platform/log.ts'
import { migrate } from '../src/platform/migrate.ts'
import { parseSecretKeys } from '../src/platform/secret.ts'
import { openTracing } from '../src/platform/tracing/open-tracing.ts'
import { findPreparedDatabase } from '../src/prepared-database.ts'
import type { Answer, Result } from './answer.ts'
import { assertDeclared } from './declared-answer.ts'
import { atEndOfFile } from './lifetime/at-end-of-file.ts'
import { createNativeDatabase, openNative, urlOfDatabase } from './native-database.ts'

export interface Service {
  url: string
  app: App
  database: Database
  /**
   * The service's clock: set `ahead`, in milliseconds, to travel in time, and `stoppedAt` where a pause of the machine
   * must not count.
   */
  clock: { ahead: number; stoppedAt?: number }
  call<Path extends string>(path: Path, data?: unknown, headers?: Record<string, string>): Promise<Answer<Path>>
  /** Runs every due job and delivery to its end. */
  drainJobs(): Promise<void>
}

/** A workspace of its own for one test, with calls as its API key or as the workspace. */
export interface TestWorkspace {
  id: string
  authToken: string
  apiKey: string
  keyHeaders: Record<string, string>
  workspaceHeaders: Record<string, string>
  /** Calls with the API key and returns the whole response. */
  call<Path extends string>(path: Path, data?: unknown): Promise<Answer<Path>>
  /** Calls with the API key, expects success, and returns `result`. */
  ok<Path extends string>(path: Path, data?: unknown): Promise<Result<Path>>
}

/** The key that test services encrypt their secrets with. */
export const SECRET_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`

let shared: Promise<Service> | undefined

/**
 * The service of this test worker, started once, on the database of the test project, behind a real socket. The first
 * call of a file removes what earlier files left to be delivered, sent or done: whoever drains the queues waits for
 * none of it. At the end of a file its clock is set right.
 */
export async function startService(): Promise<Service> {
  shared ??= start({}, undefined)
  const service = await shared
  if (!emptied) {
    emptied = emptyQueues(service.database)
    atEndOfFile(async () => {
      emptied = undefined
      service.clock.ahead = 0
      delete service.clock.stoppedAt
    })
  }
  await emptied
  return service
}

/** Settles when the queues have been emptied for the current file. */
let emptied: Promise<void> | undefined

async function emptyQueues(database: Database): Promise<void> {
  // Without its log of changes nothing is learned from the judgments of an API key.
  const queues = [sql`webhook_pending`, sql`email`, sql`job`, sql`judgment_evaluation`, sql`judgment_log`]
  for (const queue of queues) await database.query(sql`delete from ${queue}`)
}

/** A service with settings of its own, on the database of the shared one. */
export async function startConfigured(env: Record<string, string>): Promise<Service> {
  const { database } = await startService()
  return startForFile(env, database)
}

/**
 * A service on a database of its own, for a test that starts the worker. Deliveries of other tests cannot interfere.
 */
export const startAlone = (env: Record<string, string> = {}): Promise<Service> => startForFile(env, undefined)

/** A further service with settings of its own on a database, as another process would be. */
export const startOn = (database: Database, env: Record<string, string>): Promise<Service> =>
  startForFile(env, database)

/** A service that ends with the test file; so does its database, unless it was given one. */
async function startForFile(env: Record<string, string>, given: Database | undefined): Promise<Service> {
  const service = await start(env, given)
  atEndOfFile(async () => {
    await service.app.http.close()
    await service.app.worker.stop()
    await service.app.services.outbound.close()
    if (!given) await service.database.close()
  })
  return service
}

async function start(env: Record<string, string>, given: Database | undefined): Promise<Service> {
  const config = readConfig({
    SECRET_KEYS,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    RATE_LIMIT_WORKSPACE_CREATE: '0',
    OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
    PUBLIC_URL: 'https://precedent.test',
    // With a model, draining the jobs would embed the judgments that other tests left in the database they share.
    EMBEDDER: 'lexical',
    ...env,
  })
  const log = createLog(config)
  const database = given ?? (await testDatabase())
  const clock: Service['clock'] = { ahead: 0 }
  const app = createApp({
    config,
    database,
    secretKeys: parseSecretKeys(SECRET_KEYS),
    log,
    embedder: await openEmbedder(config),
    clock: { now: () => (clock.stoppedAt ?? Date.now()) + clock.ahead },
    tracing: await openTracing(config, log),
  })
  const url = await app.http.listen({ host: config.host, port: config.port })
  return { url, app, database, clock, call: caller(url, app), drainJobs: () => app.worker.drain() }
}

/** A migrated database of its own: embedded in memory, or a fresh one on the native server of the test run. */
export async function testDatabase(): Promise<Database> {
  const database =
    process.env.TEST_DATABASE === 'postgres'
      ? await openNative(await freshNativeUrl(inject('nativeTemplate')))
      : await openEmbedded({ dataDir: 'memory', prepared: findPreparedDatabase })
  await migrate(database)
  return database
}

/** The connection string of a new database on the native server: an empty one, or a copy of another. */
export async function freshNativeUrl(copyOf?: string): Promise<string> {
  const server = inject('nativePostgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await createNativeDatabase(server, name, copyOf)
  return urlOfDatabase(server, name)
}

function caller(url: string, app: App): Service['call'] {
  return async (path, data = {}, headers = {}) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ data }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('application/json')
    const body = isJson ? JSON.parse(text) : text
    assertDeclared(app.operations, path, response.status, body)
    return { status: response.status, headers: response.headers, body }
  }
}

/** Creates a workspace with one API key. */
export async function newWorkspace(service: Service): Promise<TestWorkspace> {
  const created = await service.call('/v2/workspace/create', { ownerEmail: `${randomUUID()}@example.com` })
  if (created.status !== 200) throw new Error(JSON.stringify(created.body))
  const { id, authToken, apiKeyList } = created.body.result.data
  const [apiKey = ''] = Object.keys(apiKeyList)
  const workspaceHeaders = { 'x-service-workspace-id': id, 'x-service-workspace-auth-token': authToken }
  return { id, authToken, workspaceHeaders, ...(await asApiKey(service, apiKey)) }
}

/** Calls as an API key; its token is read from the database. */
export async function asApiKey(service: Service, apiKey: string) {
  const [row] = await service.database.query<{ sealed: string }>(
    sql`select sealed from auth_token where api_key = ${apiKey}`,
  )
  const token = service.app.services.secrets.open(row?.sealed ?? '', `auth-token:${apiKey}`)
  const keyHeaders = { 'x-service-api-key': apiKey, 'x-service-auth-token': token }
  return {
    apiKey,
    keyHeaders,
    call: <Path extends string>(path: Path, data?: unknown) => service.call(path, data, keyHeaders),
    ok: async <Path extends string>(path: Path, data?: unknown) => {
      const answer = await service.call(path, data, keyHeaders)
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body.result
    },
  }
}
