import { Agent, request } from 'node:http'
import { type Api, createClient } from '../../client/src/index.ts'
import { type Database, raw } from '../../server/src/platform/db/db.ts'
import { openPostgres } from '../../server/src/platform/db/postgres.ts'
import { migrate } from '../../server/src/platform/migrate.ts'
import { SECRET_KEYS, startServer } from '../api.ts'

/** A server in a process of its own on a database of its own, and a client of one API key. */
export interface Subject {
  client: Api
  database: Database
  apiKey: string
  /** Milliseconds until the whole answer is read; throws unless it is a success. */
  time(path: string, data: object): Promise<number>
  stop(): Promise<void>
}

/** `clusterUrl` leads to any database of the cluster; the subject's is made. */
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

/** A migrated database of its own in the cluster. */
export async function newDatabase(clusterUrl: string, name: string): Promise<{ database: Database; url: string }> {
  const admin = await open(clusterUrl)
  await admin.script(`create database ${name}`)
  await admin.close()
  const databaseUrl = new URL(clusterUrl)
  databaseUrl.pathname = `/${name}`
  const database = await open(databaseUrl.href)
  await migrate(database)
  return { database, url: databaseUrl.href }
}

/** The server of this project on that database. */
export const roleOf = (databaseUrl: string) => ({
  variant: 'precedent' as const,
  databaseUrl,
  secretKeys: SECRET_KEYS,
  calls: {},
})

export interface Credentials {
  apiKey: string
  authToken: string
}

/** Sends requests on kept connections; `time` as that of a `Subject`. */
export function caller(baseUrl: string, { apiKey, authToken }: Credentials) {
  const agent = new Agent({ keepAlive: true })
  const headers = { 'x-service-api-key': apiKey, 'x-service-auth-token': authToken }
  return {
    time: (path: string, data: object) => time(baseUrl + path, { agent, headers }, JSON.stringify({ data })),
    close: () => agent.destroy(),
  }
}

const open = (url: string): Promise<Database> =>
  openPostgres({ url, poolSize: 4, pipeline: true, statementTimeoutMs: 0, onError: () => {} })

/** Makes a workspace with an API key. */
export async function newApiKey(baseUrl: string): Promise<Credentials> {
  const { data } = await createClient({ baseUrl }).workspaces.createWorkspace({ ownerEmail: 'bench@example.com' })
  const [apiKey = ''] = Object.keys(data.apiKeyList)
  const admin = createClient({ baseUrl, workspaceId: data.id, workspaceAuthToken: data.authToken })
  const tokens = await admin.workspaces.getAuthTokens({ apiKey })
  return { apiKey, authToken: tokens.data.authTokens[0]?.token ?? '' }
}

// Plain node:http on kept connections: what is measured is the server, not the client.
function time(url: string, options: { agent: Agent; headers: Record<string, string> }, body: string): Promise<number> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const headers = {
      ...options.headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const sent = request(url, { method: 'POST', agent: options.agent, headers }, (response) => {
      response.resume()
      response.once('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - start)
        else reject(new Error(`${url}: HTTP ${response.statusCode}`))
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Brings the planner's statistics and the visibility map up to date, as autovacuum would in time. */
export async function analyze(database: Database): Promise<void> {
  await database.script('vacuum (analyze)')
}

/** One statement of the benchmark's own, without parameters. */
export const statement = (database: Database, text: string): Promise<unknown> => database.query(raw(text))

/** The value that this share of the values does not exceed. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0
}

/** One after the other, after a few that do not count. */
export async function repeat(rounds: number, measure: (round: number) => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let round = -3; round < rounds; round++) {
    const elapsed = await measure(round)
    if (round >= 0) times.push(elapsed)
  }
  return times
}
