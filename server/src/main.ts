import closeWithGrace from 'close-with-grace'
import { type App, createApp } from './app.ts'
import { checkSecretKeys } from './check-secret-keys.ts'
import { openDatabase, openSecretKeys } from './open-database.ts'
import { type Config, readConfig } from './platform/config.ts'
import { DatabaseClock } from './platform/database-clock.ts'
import type { Database } from './platform/db/db.ts'
import { openEmbedder } from './platform/embedder/open-embedder.ts'
import { createLog } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'
import { openTracing } from './platform/tracing/open-tracing.ts'
import { findPreparedDatabase } from './prepared-database.ts'
import { createDemoWorkspace, firstSignIn, welcome } from './welcome.ts'

const DRAIN_MS = 30_000

/**
 * Starts the process in its role. SIGTERM or SIGINT shuts it down: accepted requests are served, running batches
 * finished.
 */
async function main(): Promise<void> {
  const config = readConfig()
  const log = createLog(config)
  const tracing = await openTracing(config)
  const database = await openDatabase(config, log, await findPreparedDatabase())
  const secretKeys = await openSecretKeys(config)
  const embedder = await openEmbedder(config)
  await migrate(database)
  await checkSecretKeys(database.checks, config, secretKeys)
  const clock = new DatabaseClock({ db: database.checks, log })
  await clock.start()
  const app = createApp({ config, database, secretKeys, log, embedder, clock, tracing })
  const address = await listen(app, config)
  if (config.role !== 'worker') await greet(address, app, config, database)
  if (config.role !== 'api') await app.worker.start()
  await app.heartbeat.start()
  if (config.role !== 'worker' && config.workspaceCreate === 'open' && !config.isLocal) {
    log.warn('Anyone who reaches this service can create workspaces. Set WORKSPACE_CREATE to token or off.')
  }
  closeWithGrace({ delay: DRAIN_MS, logger: false }, async ({ err }) => {
    if (err) log.fatal({ err }, 'stopping after a fault')
    await app.http.close()
    await app.heartbeat.stop()
    // Work that it interrupts is repeated later, so the worker need not wait for it.
    await embedder?.close()
    await app.worker.stop()
    await app.services.outbound.close()
    await clock.stop()
    await database.close()
    await tracing.close()
    log.info('stopped')
  })
  log.info({ role: config.role, database: database.kind, address }, 'started')
}

async function listen(app: App, { host, port }: Config): Promise<string> {
  try {
    return await app.http.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const fault = FAULTS_OF_LISTENING[String(code)]
    if (fault === undefined) throw error
    throw new Error(fault(host, port), { cause: error })
  }
}

const FAULTS_OF_LISTENING: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `PORT: another process listens on port ${port} of ${host}. Stop it, or set PORT to another port (0 takes a free one).`,
  EACCES: (_host, port) => `PORT: this user may not listen on port ${port}. Set PORT to 1024 or above.`,
  EADDRNOTAVAIL: (host) => `HOST: this machine has no address ${host}. Set HOST to 127.0.0.1, or to 0.0.0.0 for all.`,
  ENOTFOUND: (host) => `HOST: ${host} cannot be resolved to an address. Set HOST to an address of this machine.`,
}

async function greet(address: string, app: App, config: Config, database: Database): Promise<void> {
  const isLocal = database.kind === 'embedded' && /^(127\.|localhost$|::1$)/.test(config.host)
  const demo = isLocal ? await createDemoWorkspace(app, database) : undefined
  const signIn = await firstSignIn(database, config)
  // To the terminal, never to the log: it may hold the credentials of the demo workspace, and a link to sign in.
  process.stdout.write(welcome(address, { demo, signIn, config, database }))
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
