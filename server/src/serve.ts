import closeWithGrace from 'close-with-grace'
import { type App, createApp } from './app.ts'
import { checkSecretKeys } from './check-secret-keys.ts'
import { addExample, completeExample } from './example/fill-example.ts'
import { openSecretKeys } from './open-database.ts'
import type { Config } from './platform/config.ts'
import type { ApiKeyTenant } from './platform/context.ts'
import { DatabaseClock } from './platform/database-clock.ts'
import type { Database } from './platform/db/db.ts'
import { openEmbedder } from './platform/embedder/open-embedder.ts'
import type { Log } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'
import { openTracing } from './platform/tracing/open-tracing.ts'
import { createDemoWorkspace, firstSignIn, hasWorkspaces, welcome } from './welcome.ts'

const DRAIN_MS = 30_000

/** The argument with which `precedent serve` starts the server: it ends when that process is gone. */
const WITH_STARTER = '--with-starter'

/**
 * Brings the database up to date and serves it in the role of the process. SIGTERM or SIGINT shuts it down: accepted
 * requests are served, running batches finished.
 */
export async function serve(config: Config, log: Log, database: Database): Promise<void> {
  const tracing = await openTracing(config, log)
  const secretKeys = await openSecretKeys(config)
  const embedder = await openEmbedder(config)
  const clock = new DatabaseClock({ db: database.checks, log })
  let isGreeted = config.role === 'worker'
  // Nothing of it asks the database yet, which may still be starting.
  const app = createApp({ config, database, secretKeys, log, embedder, clock, tracing, isGreeted: () => isGreeted })
  await migrate(database, { log })
  await checkSecretKeys(database.checks, config, secretKeys)
  await clock.start()
  const address = await listen(app, config)
  let isStopping = false
  let greeting: ReturnType<typeof greet> | undefined
  let completion: Promise<unknown> | undefined
  // Before the greeting: who has read it may send a signal.
  closeWithGrace({ delay: DRAIN_MS, logger: false }, async ({ err }) => {
    isStopping = true
    if (err) log.fatal({ err }, 'stopping after a fault')
    await app.http.close()
    // So that a first start that is ended early leaves the whole example. Its faults are heard below.
    await greeting?.catch(() => {})
    await completion
    await shutDown(app, clock, database)
    log.info('stopped')
  })
  if (process.argv.includes(WITH_STARTER)) endWithStarter()
  try {
    if (config.role !== 'worker') {
      greeting = greet(address, app, config, database)
      const example = await greeting
      isGreeted = true
      // Beside the worker: callers who have read the greeting wait for what their calls leave to it.
      if (example) completion = fill(completeExample, app, example)
    }
    if (!isStopping && config.role !== 'api') await app.worker.start()
    if (!isStopping) await app.heartbeat.start()
    await completion
  } catch (error) {
    // A signal has closed what it needs.
    if (!isStopping) throw error
  }
  if (isStopping) return
  if (config.role !== 'worker' && config.workspaceCreate === 'open' && !config.isLocal) {
    log.warn('Anyone who reaches this service can create workspaces. Set WORKSPACE_CREATE to token or off.')
  }
  log.info({ role: config.role, database: database.kind, address }, 'started')
}

/** Ends the parts of a process that serves no requests any more, each before those that it needs. */
async function shutDown({ services, heartbeat, worker }: App, clock: DatabaseClock, database: Database): Promise<void> {
  await heartbeat.stop()
  // Work that it interrupts is repeated later, so the worker need not wait for it.
  await services.embedder?.close()
  await worker.stop()
  await services.outbound.close()
  await clock.stop()
  await database.close()
  await services.tracing.close()
}

/** Nobody else would end this process: whoever killed the starter believes that the server is gone. */
function endWithStarter(): void {
  const end = () => process.kill(process.pid, 'SIGTERM')
  if (process.connected) process.once('disconnect', end)
  // It is gone already.
  else end()
  process.channel?.unref()
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

const noAddress = (host: string) =>
  `HOST: ${host} cannot be resolved to an address. Set HOST to an address of this machine.`

const FAULTS_OF_LISTENING: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `PORT: another process listens on port ${port} of ${host}. Stop it, or set PORT to another port (0 takes a free one).`,
  EACCES: (_host, port) => `PORT: this user may not listen on port ${port}. Set PORT to 1024 or above.`,
  EADDRNOTAVAIL: (host) => `HOST: this machine has no address ${host}. Set HOST to 127.0.0.1, or to 0.0.0.0 for all.`,
  EAFNOSUPPORT: (host) =>
    `HOST: this machine has no addresses of the kind of ${host}. Set HOST to 127.0.0.1, or to 0.0.0.0 for all.`,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
  // A link-local address of IPv6 is of one interface.
  EINVAL: (host) =>
    `HOST: this machine cannot listen on ${host}. A link-local address needs its interface: fe80::1%eth0.`,
}

/** Returns the tenant whose example is to be completed, if there is one. */
async function greet(address: string, app: App, config: Config, database: Database): Promise<ApiKeyTenant | undefined> {
  const isLocal = database.kind === 'embedded' && /^(127\.|localhost$|::1$)/.test(config.host)
  const isEmpty = !(await hasWorkspaces(database))
  const demo = isLocal && isEmpty ? await createDemoWorkspace(app) : undefined
  // An installation that others reach gets no people that it does not have.
  const example = config.isLocal ? demo : undefined
  const hasExample = example !== undefined && (await fill(addExample, app, example))
  const signIn = await firstSignIn(database, config)
  // To the terminal, never to the log: it may hold the credentials of the demo workspace, and a link to sign in.
  process.stdout.write(welcome(address, { demo, hasExample, isEmpty, signIn, config, database }))
  // What the greeting's requests ask is there. The rest follows, so that the first start is as quick as any.
  return hasExample ? example : undefined
}

/**
 * False where it failed. A fault of the example stops no start, and hides no credentials. Whoever has read these may
 * delete it meanwhile.
 */
async function fill(step: typeof addExample, app: App, tenant: ApiKeyTenant): Promise<boolean> {
  try {
    await step(app, tenant)
    return true
  } catch (error) {
    app.services.log.warn({ err: error }, 'the example in the demo workspace is not complete')
    return false
  }
}
