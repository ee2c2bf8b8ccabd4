import type { Config } from '../../platform/config.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { KEPT_MS } from '../../platform/http/recent-requests.ts'
import { operation } from '../../platform/operation.ts'
import { nullable, type Static, Type, timestamp } from '../../platform/schema.ts'
import type { Backlog } from '../../platform/work/backlog.ts'
import { GONE_MS } from '../../platform/work/heartbeat.ts'
import { countUnseen } from '../memory/vectors/vector-progress.ts'

const Process = Type.Object({
  id: Type.String(),
  host: Type.String(),
  pid: Type.Integer(),
  role: Type.String({ description: '`all`, `api` or `worker`.' }),
  version: Type.String(),
  startedAt: timestamp('When it started.'),
  seenAt: timestamp('Its last beat; it beats every ten seconds.'),
  eventLoopDelayMs: Type.Number({ description: 'How late timers were before the last beat, at the 99th percentile.' }),
  clockOffsetMs: Type.Number({ description: "By how much its machine's clock is behind that of the database." }),
  memoryBytes: Type.Integer({ description: 'Resident memory.' }),
  index: Type.Object({
    lexicalBytes: Type.Integer(),
    vectorBytes: Type.Integer(),
    limitBytes: Type.Integer({ description: 'What both may take together.' }),
  }),
  sendsMail: Type.Optional(
    Type.Boolean({ description: 'Whether it sends emails through the mail server of `SMTP_URL`.' }),
  ),
  connections: Type.Object({
    most: Type.Integer(),
    open: Type.Integer(),
    inUse: Type.Integer(),
    waiting: Type.Integer({ description: 'Callers that wait for a connection.' }),
  }),
})

const Queue = Type.Object({
  queue: Type.String(),
  type: Type.Optional(Type.String()),
  depth: Type.Integer({ description: 'Items that wait, counted up to 10,000.' }),
  oldestAt: nullable(timestamp('Since when the oldest item is due; null if none waits.')),
  oldestAgeMs: Type.Integer({ description: '0 if none is due.' }),
})

const Installation = Type.Object({
  time: timestamp('By the database.'),
  processes: Type.Array(Process, { description: 'Those seen in the last ten minutes, the oldest first; at most 200.' }),
  queues: Type.Array(Queue),
  database: Type.Object({
    kind: Type.String({ description: '`embedded` or `postgres`.' }),
    version: Type.String(),
    bytes: Type.Integer({ description: 'Its size on disk.' }),
  }),
  retention: Type.Object({
    webhookDays: Type.Integer({ description: 'Events and deliveries.' }),
    recentRequestMinutes: Type.Integer(),
  }),
  embedder: Type.Object({
    kind: Type.String({ description: 'As `EMBEDDER` says.' }),
    model: nullable(Type.String({ description: 'Null: words alone are compared.' })),
    unembeddedChanges: Type.Integer({ description: 'Changes to judgments that the model has not seen yet.' }),
  }),
})
type Installation = Static<typeof Installation>

/** What runs: processes, queues, database, retention and the embedding model. */
export const getInstallation = operation({
  path: '/console/api/installation/get',
  auth: 'none',
  access: 'read',
  summary: 'Get the state of the installation',
  input: Type.Object({}),
  output: Installation,
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED'],
  message: 'Installation retrieved.',
}).run(async ({ db, config, embedder, queues }) => {
  const [database, processes, backlogs, unembeddedChanges] = await Promise.all([
    readDatabase(db),
    readProcesses(db),
    queues(),
    embedder ? countUnseen(db, embedder.model) : 0,
  ])
  const { time, ...about } = database
  return {
    time,
    processes,
    queues: backlogs.map((backlog) => ({ ...backlog, oldestAgeMs: Math.max(0, time - (backlog.oldestAt ?? time)) })),
    database: { kind: kindOf(config), ...about },
    retention: { webhookDays: config.webhookRetentionDays, recentRequestMinutes: KEPT_MS / 60_000 },
    embedder: { kind: config.embedder, model: embedder?.model ?? null, unembeddedChanges },
  }
})

declare module '../../platform/context.ts' {
  interface Services {
    /** What waits in the queues, at most 10 s old. */
    queues(): Promise<Backlog[]>
  }
}

const kindOf = ({ databaseUrl }: Config) => (databaseUrl === undefined ? 'embedded' : 'postgres')

async function readDatabase(db: Db): Promise<{ time: number; version: string; bytes: number }> {
  const [row] = await db.query<{ time: number; version: string; bytes: number }>(sql`
    select now_ms() as time, current_setting('server_version') as version,
      pg_database_size(current_database()) as bytes`)
  if (!row) throw new Error('The database does not describe itself.')
  return row
}

async function readProcesses(db: Db): Promise<Installation['processes']> {
  const rows = await db.query<Installation['processes'][number] & { state: object }>(sql`
    select id, host, pid, role, version, started_at as "startedAt", seen_at as "seenAt", state
    from service_process
    where seen_at > now_ms() - ${GONE_MS}
    order by started_at, id
    limit 200`)
  return rows.map(({ state, ...process }) => ({ ...process, ...state }))
}
