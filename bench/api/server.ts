import { createServer, type IncomingMessage } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import fastify from 'fastify'
import { Sql } from 'sql-template-tag'
import { createApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/platform/config.ts'
import type { Database } from '../../server/src/platform/db/db.ts'
import { openPostgres } from '../../server/src/platform/db/postgres.ts'
import { openEmbedder } from '../../server/src/platform/embedder/open-embedder.ts'
import { createLog } from '../../server/src/platform/log.ts'
import { parseSecretKeys } from '../../server/src/platform/secret.ts'
import type { Recorded } from './recording.ts'

/** The parameters of a server process. `calls`: the statements of each request, by path, used in rotation. */
export interface Role {
  /** `text` answers with the column `text` of the row of its one statement. */
  variant: 'precedent' | 'fastify' | 'bare' | 'text'
  databaseUrl: string
  secretKeys: string
  calls: Record<string, Recorded[][]>
  /** Default: warn. */
  logLevel?: 'fatal'
  /** Further settings. */
  env?: Record<string, string>
}

process.once('message', async (role: Role) => {
  const database = await openPostgres({
    url: role.databaseUrl,
    poolSize: 16,
    pipeline: true,
    statementTimeoutMs: 30_000,
    onError: () => {},
  })
  const port = await START[role.variant](role, database)
  let before = process.cpuUsage()
  const held = monitorEventLoopDelay({ resolution: 1 })
  process.on('message', (message) => {
    if (message === 'start') {
      before = process.cpuUsage()
      held.reset()
      held.enable()
    }
    if (message === 'stop') {
      held.disable()
      process.send?.({ cpu: process.cpuUsage(before), rss: process.memoryUsage.rss(), heldUpMs: held.max / 1e6 })
    }
    if (message === 'end') process.exit()
  })
  // Where the benchmark has failed.
  process.once('disconnect', () => process.exit())
  process.send?.({ port })
})

const START: Record<Role['variant'], (role: Role, database: Database) => Promise<number>> = {
  async precedent(role, database) {
    const config = readConfig({
      SECRET_KEYS: role.secretKeys,
      DATABASE_URL: role.databaseUrl,
      LOG_LEVEL: role.logLevel ?? 'warn',
      ...role.env,
    })
    const embedder = await openEmbedder(config)
    const secretKeys = parseSecretKeys(role.secretKeys)
    const app = createApp({ config, database, secretKeys, log: createLog(config), embedder })
    await app.http.listen({ host: '127.0.0.1', port: 0 })
    return portOf(app.http.server.address())
  },
  async fastify(role, database) {
    const app = fastify({ logger: false })
    for (const [path, calls] of Object.entries(role.calls)) {
      const next = inTurn(calls)
      app.post(path, async () => ({ result: { status: 'success', data: await replay(database, next()) } }))
    }
    await app.listen({ host: '127.0.0.1', port: 0 })
    return portOf(app.server.address())
  },
  bare: (role, database) =>
    nodeHttp(role, database, (rows) => JSON.stringify({ result: { status: 'success', data: rows } })),
  text: (role, database) => nodeHttp(role, database, (rows) => (rows as { text: string }[])[0]?.text ?? ''),
}

/** Bare node:http: parses the body, runs the statements of the call, and writes what the last one returned. */
async function nodeHttp(role: Role, database: Database, write: (rows: unknown) => string): Promise<number> {
  const turns = new Map(Object.entries(role.calls).map(([path, calls]) => [path, inTurn(calls)]))
  const server = createServer(async (request, response) => {
    JSON.parse(await readBody(request))
    const rows = await replay(database, turns.get(request.url ?? '')?.() ?? [])
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(write(rows))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return portOf(server.address())
}

/** A recorded statement that can be run. */
interface Ready extends Pick<Recorded, 'inTransaction' | 'isSent'> {
  statement: Sql
}

/** Returns the statements of the next call, in rotation. */
function inTurn(calls: Recorded[][]): () => Ready[] {
  const ready = calls.map((recorded) =>
    recorded.map(({ strings, values, inTransaction, isSent }) => ({
      statement: new Sql(strings, values),
      inTransaction,
      isSent,
    })),
  )
  let turn = 0
  return () => ready[turn++ % ready.length] ?? []
}

/**
 * Runs the statements as the operation did: those outside its transaction first, then the transaction. It waits for
 * each answer that the operation waited for.
 */
async function replay(database: Database, statements: Ready[]): Promise<unknown> {
  const outside = statements.filter(({ inTransaction }) => !inTransaction)
  const inside = statements.filter(({ inTransaction }) => inTransaction)
  let rows: unknown
  let sent: Promise<unknown>[] = []
  for (const { statement, isSent } of outside) {
    sent.push(database.query(statement))
    if (isSent) continue
    rows = (await Promise.all(sent)).at(-1)
    sent = []
  }
  if (inside.length > 0) {
    rows = await database.transaction(async (db) => {
      let last: unknown
      for (const { statement, isSent } of inside) {
        if (isSent) db.send(statement)
        else last = await db.query(statement)
      }
      await Promise.all(sent)
      return last
    })
  }
  return rows
}

const portOf = (address: ReturnType<ReturnType<typeof createServer>['address']>) =>
  typeof address === 'object' && address ? address.port : 0

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
