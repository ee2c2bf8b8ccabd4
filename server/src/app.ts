import { auditCall } from './areas/audit/audit-call.ts'
import { mountUnsubscribe } from './areas/email/unsubscribe.ts'
import { mountKnowledgeFiles } from './areas/knowledge/mount-files.ts'
import { createHeadCache } from './areas/memory/head/head-cache.ts'
import { createIndexCache } from './areas/memory/indexing/index-cache.ts'
import { createPatternCache } from './areas/memory/patterns/pattern-cache.ts'
import { createKnownKeys } from './areas/memory/search/known-of-key.ts'
import { createDenseSearch } from './areas/memory/vectors/dense-search.ts'
import type { ConsoleOptions, Execute } from './areas/operators/fence/console-options.ts'
import { mountConsole } from './areas/operators/mount-console.ts'
import { createIssuer } from './areas/operators/oidc/issuer.ts'
import { refusedSignIns } from './areas/operators/settle-refusals.worker.ts'
import { createAccessChecks } from './areas/permissions/access/access-checks.ts'
import { ProviderAnswers } from './areas/permissions/provider/provider-answers.ts'
import { createAuthenticator } from './areas/workspaces/authenticator.ts'
import { jobs } from './jobs.ts'
import { consoleRegistry, DESCRIBED, registry } from './operations.ts'
import { createChatModel } from './platform/chat/chat-model.ts'
import type { Config } from './platform/config.ts'
import type { ApiKeyTenant, Clock, Services, WorkspaceTenant } from './platform/context.ts'
import type { Database } from './platform/db/db.ts'
import { statisticsKeeping } from './platform/db/keep-statistics.ts'
import { tracedDatabase } from './platform/db/traced-database.ts'
import { exportData } from './platform/db/transfer.ts'
import type { Embedder } from './platform/embedder/embedder.ts'
import { mountApiReference } from './platform/http/api-reference.ts'
import { NO_CREDENTIALS } from './platform/http/authenticator.ts'
import { mountConsoleFiles } from './platform/http/console-files.ts'
import { createExecutor } from './platform/http/execute.ts'
import { createHttp, type Http } from './platform/http/http.ts'
import { createBounds } from './platform/http/limits/bounds.ts'
import { createRateLimiter } from './platform/http/limits/rate-limit.ts'
import { openapiDocument } from './platform/http/openapi.ts'
import { RecentRequests } from './platform/http/recent-requests.ts'
import { newRequestId } from './platform/id.ts'
import { createTokenSigner, mountJwks } from './platform/keys/signing-key.ts'
import { createStoredSecrets } from './platform/keys/stored-key.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics/metrics.ts'
import { listOperations, type NamedOperation, namedOperation } from './platform/operation.ts'
import { createMailer } from './platform/outbound/mail.ts'
import { createOutbound } from './platform/outbound/outbound.ts'
import { tracedOutbound } from './platform/outbound/traced-outbound.ts'
import { createPageTokens } from './platform/page-token.ts'
import { createSecrets, type SecretKey } from './platform/secret.ts'
import { seldom } from './platform/seldom.ts'
import { type Tracing, UNTRACED } from './platform/tracing/tracing.ts'
import { Heartbeat } from './platform/work/heartbeat.ts'
import { jobQueue } from './platform/work/job.ts'
import { QueueMeter } from './platform/work/queue-meter.ts'
import { findStandstill } from './platform/work/standstill.ts'
import { createWorkerWakeup } from './platform/work/wakeup.ts'
import { createWorker, type Worker } from './platform/work/worker.ts'
import { observeProcess, stateReader } from './process-metrics.ts'
import { subscriptions } from './subscriptions.ts'
import { workers } from './workers.ts'

export interface App {
  http: Http
  worker: Worker
  services: Services
  operations: NamedOperation[]
  recentRequests: RecentRequests
  /** Lists this process among those that run; `serve.ts` starts it. */
  heartbeat: Heartbeat
  /** Calls an operation by its path from inside the process: past authentication, rate limits and gates. */
  callInside(path: string, data: object, tenant?: WorkspaceTenant | ApiKeyTenant): Promise<unknown>
}

interface AppOptions {
  config: Config
  database: Database
  secretKeys: SecretKey[]
  log: Log
  embedder?: Embedder | undefined
  clock?: Clock
  tracing?: Tracing
  isGreeted?: () => boolean
}

const SYSTEM_CLOCK: Clock = { now: () => Date.now() }

/**
 * Wires the service: the only place that knows both the platform and the areas. A process in the worker role serves
 * health and metrics only.
 */
export function createApp({
  clock = SYSTEM_CLOCK,
  tracing = UNTRACED,
  isGreeted = () => true,
  ...given
}: AppOptions): App {
  const options = { ...given, clock, tracing, database: tracedDatabase(given.database, tracing) }
  const { config, database, log } = options
  const services = createServices(options, async () => [...(await meter.read()).values()].flat())
  const operations = listOperations(registry)
  const servesApi = config.role !== 'worker'
  const wakeWorkers = createWorkerWakeup(database, log)
  const context = { db: database.work, reads: database, services, mailer: createMailer(config) }
  const executorOf = (operation: NamedOperation) =>
    createExecutor(operation, { database, services, subscriptions, wakeWorkers, audit: auditCall })
  const sources = [
    jobQueue({ database, services, jobs, subscriptions }),
    refusedSignIns(database.work, createSettling(executorOf(ofConsole('settleRefusals')))),
    statisticsKeeping(database.work, clock),
    ...workers.flatMap((source) => source(context) ?? []),
  ]
  const worker = createWorker(database, sources, log)
  const meter = new QueueMeter({ db: database.work, clock, sources })
  observeProcess({ database, services, worker })
  const sendsMail = context.mailer !== undefined && config.role !== 'api'
  const read = stateReader(database, services, sendsMail)
  const heartbeat = new Heartbeat({ db: database.work, log, role: config.role, read })
  const recentRequests = new RecentRequests(database.work, log)
  const bounds = createBounds(config, database)
  const http = createHttp({
    database,
    services,
    operations: servesApi ? operations : [],
    subscriptions,
    authenticator: createAuthenticator(database.checks, services.secrets, tellOfMissingKey(services.log)),
    rateLimiter: ({ name, declaration: { rateLimit } }) =>
      rateLimit && createRateLimiter(database, { name, points: rateLimit.limit(config), windowSeconds: 60 }),
    wakeWorkers,
    audit: auditCall,
    recentRequests,
    bounds,
    standstill: () => findStandstill({ worker, meter, clock, afterMs: config.workerStallSeconds * 1000 }),
    isGreeted,
  })
  if (servesApi) mountBesides(http, { operations, executorOf, database, services, bounds })
  return {
    http,
    worker,
    services,
    operations,
    recentRequests,
    heartbeat,
    callInside: createInsideCalls(operations, executorOf),
  }
}

/** Whoever calls is told that the credentials are wrong. Only this process knows that it may be at fault itself. */
function tellOfMissingKey(log: Services['log']): () => void {
  const tell = seldom((_error, refused) =>
    log.error({ refused }, 'calls are refused whose tokens need a master key that SECRET_KEYS of this process lacks'),
  )
  return () => tell(undefined)
}

/** What handlers, subscribers and jobs use besides their transaction. */
function createServices(
  options: AppOptions & { clock: Clock; tracing: Tracing },
  queues: Services['queues'],
): Services {
  const { config, database, secretKeys, log, embedder, clock, tracing } = options
  const secrets = createSecrets(secretKeys)
  const keyIds = secretKeys.map(({ id }) => id)
  const metrics = createMetrics()
  const outbound = tracedOutbound(createOutbound({ allow: config.outboundAllow }), tracing)
  const outboundToIssuer = createOutbound({ allow: [...config.outboundAllow, ...config.oidcAllow] })
  const pageTokens = createPageTokens(secrets)
  const linkSecrets = createStoredSecrets(database.work, secrets, 'email-links')
  const denseSearch = createDenseSearch({ embedder, config, secrets, clock, log })
  return {
    config,
    secrets,
    pageTokens,
    linkSecrets,
    tokenSigner: createTokenSigner(secrets),
    outbound,
    embedder,
    chatModel: createChatModel(config),
    clock,
    exportAll: (write) => exportData(database, write, { at: new Date(clock.now()).toISOString(), keys: keyIds }),
    log,
    metrics,
    tracing,
    accessChecks: createAccessChecks(database),
    providerAnswers: new ProviderAnswers({ outbound, secrets, clock, metrics }),
    indexCache: createIndexCache({ budgetBytes: config.memoryIndexMb * 1024 * 1024, log, secrets }),
    patternCache: createPatternCache(),
    headCache: createHeadCache(secrets),
    issuer: createIssuer({ config, outbound: outboundToIssuer, clock, log }),
    denseSearch,
    knownKeys: createKnownKeys({ secrets, denseSearch }),
    queues,
  }
}

/** Serves what is no operation of the API: its reference, public keys, the page of links in emails, the console. */
function mountBesides(http: Http, options: Omit<ConsoleOptions, 'own' | 'noteRefusal'>): void {
  const { services, database, operations } = options
  const { config } = services
  mountApiReference(http, () => openapiDocument(operations, { ...config, ...DESCRIBED }))
  mountJwks(http, database)
  mountUnsubscribe(database.work, http, services)
  mountKnowledgeFiles(http, database, services)
  if (config.console === 'off') return
  mountConsole(http, { ...options, own: listOperations(consoleRegistry), noteRefusal: ofConsole('noteRefusal') })
  mountConsoleFiles(http)
}

const ofConsole = (name: keyof typeof consoleRegistry.operators) =>
  namedOperation('operators', consoleRegistry.operators, name)

/** Runs the operation that records refused sign-ins; it leaves no record of itself. */
function createSettling(settle: Execute): () => Promise<number> {
  return async () => {
    const request = { id: newRequestId(), clientAddress: '', credentials: NO_CREDENTIALS }
    const answer = await settle({ tenant: undefined, body: '', idempotencyKey: undefined, request })
    return JSON.parse(String(answer)).result.data.settled
  }
}

function createInsideCalls(operations: NamedOperation[], executorOf: ConsoleOptions['executorOf']): App['callInside'] {
  return async (path, data, tenant) => {
    const operation = operations.find(({ declaration }) => declaration.path === path)
    if (!operation) throw new Error(`There is no operation ${path}.`)
    const request = { id: newRequestId(), clientAddress: '', credentials: NO_CREDENTIALS }
    const caller = { actor: 'the service itself', role: '', door: 'start', workspaceId: null }
    // Everyday work leaves no audit record, as when the API is called.
    const audited = operation.declaration.administers && { caller }
    const call = { tenant, body: JSON.stringify({ data }), idempotencyKey: undefined, request, ...audited }
    return JSON.parse(String(await executorOf(operation)(call))).result.data
  }
}
