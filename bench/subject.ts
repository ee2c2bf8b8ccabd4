import { Pool } from 'undici'
import { type Api, createClient } from '../client/src/index.ts'
import { type Database, raw, sql } from '../server/src/platform/db/db.ts'
import { openPostgres } from '../server/src/platform/db/postgres.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { createNativeDatabase, urlOfDatabase } from '../server/test/native-database.ts'
import { SECRET_KEYS, startServer } from './api.ts'

/** Where a benchmark stores what it reads. */
export interface Filled {
  client: Api
  database: Database
  apiKey: string
}

/** A server process with a database of its own, and a client of one API key. */
export interface Subject extends Filled {
  /** Milliseconds until the whole response is read; throws unless it is a success. */
  time(path: string, data: object): Promise<number>
  stop(): Promise<void>
}

/** `clusterUrl` names any database of the cluster; the subject creates its own. */
export async function startSubject(clusterUrl: string, name: string): Promise<Subject> {
  const { database, url: databaseUrl } = await newDatabase(clusterUrl, name)
  const { child, url } = await startServer(roleOf(databaseUrl))
  const credentials = await newApiKey(url)
  const { time, close } = caller(url, credentials)
  return {
    client: createClient({ baseUrl: url, ...credentials }),
    database,
    apiKey: credentials.apiKey,
    time,
    async stop() {
      child.send('end')
      close()
      await database.close()
    },
  }
}

/**
 * Creates a migrated database in the cluster and leaves it there. Its name only begins with the prefix, so that a run
 * can be repeated.
 */
export async function newDatabase(clusterUrl: string, prefix: string): Promise<{ database: Database; url: string }> {
  const name = `${prefix}_${Date.now().toString(36)}`
  await createNativeDatabase(clusterUrl, name)
  const url = urlOfDatabase(clusterUrl, name)
  const database = await openPostgres({ url, poolSize: 4, pipeline: true, statementTimeoutMs: 0, onError: () => {} })
  await migrate(database)
  return { database, url }
}

/** Starts the server of this project on that database. */
export const roleOf = (databaseUrl: string) => ({
  variant: 'precedent' as const,
  databaseUrl,
  secretKeys: SECRET_KEYS,
  calls: {},
})

/** The credentials of an API key and of its workspace. */
export interface Credentials {
  apiKey: string
  authToken: string
  workspaceId: string
  workspaceAuthToken: string
}

/** The headers that carry them. */
export const headersOf = ({ apiKey, authToken, workspaceId, workspaceAuthToken }: Credentials) => ({
  'x-service-api-key': apiKey,
  'x-service-auth-token': authToken,
  'x-service-workspace-id': workspaceId,
  'x-service-workspace-auth-token': workspaceAuthToken,
})

/** Sends requests on kept connections; `time` works as in a `Subject`. */
export function caller(baseUrl: string, credentials: Credentials) {
  const pool = new Pool(baseUrl, { pipelining: 1 })
  const headers = { 'content-type': 'application/json', ...headersOf(credentials) }
  async function text(path: string, data: object): Promise<string> {
    const body = JSON.stringify({ data })
    const answer = await pool.request({ method: 'POST', path, headers, body })
    const read = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${path}: HTTP ${answer.statusCode} ${read}`)
    return read
  }
  return {
    text,
    async time(path: string, data: object): Promise<number> {
      const start = performance.now()
      await text(path, data)
      return performance.now() - start
    },
    close: () => void pool.destroy(),
  }
}

/** Creates a workspace with an API key. */
export async function newApiKey(baseUrl: string, owner = 'bench'): Promise<Credentials> {
  const { data } = await createClient({ baseUrl }).workspaces.createWorkspace({ ownerEmail: `${owner}@example.com` })
  const [apiKey = ''] = Object.keys(data.apiKeyList)
  const ofWorkspace = { workspaceId: data.id, workspaceAuthToken: data.authToken }
  const tokens = await createClient({ baseUrl, ...ofWorkspace }).workspaces.getAuthTokens({ apiKey })
  return { ...ofWorkspace, apiKey, authToken: tokens.data.authTokens[0]?.token ?? '' }
}

/** Updates the planner's statistics and the visibility map, as autovacuum would in time. */
export async function analyze(database: Database): Promise<void> {
  await database.script('vacuum (analyze)')
}

/** `keyOf` in SQL, of an expression for an id, so that records that SQL writes can be found by their ids. */
export const keyInSql = (id: string) => `substr(encode(sha256(convert_to(${id}, 'utf8')), 'hex'), 1, 32)::uuid`

/** The columns of a table that are not computed from others, in their order. */
export const storedColumns = (database: Database, table: string) =>
  database.query<{ name: string; type: string }>(sql`
    select attname as name, format_type(atttypid, atttypmod) as type
    from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and attgenerated = '' and not attisdropped
    order by attnum`)

/** Runs one statement of the benchmark, without parameters. */
export const statement = (database: Database, text: string): Promise<unknown> => database.query(raw(text))

/** The quantile: the value that this share of the values does not exceed. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0
}

/** Runs the calls one after the other, after a few that do not count. */
export async function repeat(rounds: number, measure: (round: number) => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let round = -3; round < rounds; round++) {
    const elapsed = await measure(round)
    if (round >= 0) times.push(elapsed)
  }
  return times
}
