import pg from 'pg'
import { alterRole, type SessionSettings } from '../session-settings.ts'

/** How the sessions behind a URL differ from direct ones. */
export interface Pooler {
  /** The settings that the sessions do not have by themselves, so that each transaction must bring them. */
  missing: SessionSettings
}

interface PoolerOptions {
  connections: pg.ClientConfig
  direct: pg.ClientConfig | undefined
  /** What all sessions of the service need. */
  settings: SessionSettings
  warn: (message: string) => void
}

/**
 * Finds out whether a pooler in transaction mode may stand between this process and the database: returns undefined for
 * a direct connection. Throws, saying what to do, where the service cannot work behind the pooler. Warns of settings
 * that the pooled sessions lack.
 */
export async function findPooler({ connections, direct, settings, warn }: PoolerOptions): Promise<Pooler | undefined> {
  const session = await inspect(connections, settings)
  const directSession = direct && (await inspect(direct, {}).catch(refuseDirect))
  if (directSession && directSession.server !== session.server)
    throw new Error('DATABASE_DIRECT_URL leads to another database than DATABASE_URL.')
  if (directSession?.isPooled)
    warn(
      'DATABASE_DIRECT_URL leads through a connection pooler. It must lead to PostgreSQL itself, or to a pool in session mode.',
    )
  if (!session.isPooled) return undefined
  if (!direct)
    throw new Error(
      'DATABASE_URL leads through a connection pooler, which does not pass notifications on. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
    )
  if (!session.tracksPrepared)
    throw new Error(
      'The connection pooler of DATABASE_URL does not keep track of prepared statements. PgBouncer does from version 1.21 with max_prepared_statements above 0.',
    )
  if (Object.keys(session.missing).length > 0) warn(warningOf(session))
  return { missing: session.missing }
}

function refuseDirect(cause: unknown): never {
  // Of several addresses of one name, each has an error of its own, and the error of all has no message.
  const errors = cause instanceof AggregateError ? cause.errors : [cause]
  const reason = errors.map((error) => (error instanceof Error ? error.message : String(error))).join(', ')
  throw new Error(`DATABASE_DIRECT_URL cannot be used: ${reason}`, { cause })
}

interface Session {
  /** The running server and the database in it. */
  server: string
  isPooled: boolean
  tracksPrepared: boolean
  missing: SessionSettings
  actual: Record<string, string>
  role: string
  database: string
}

interface Found extends Pick<Session, 'server' | 'actual' | 'role' | 'database'> {
  pid: number
  keepsName: boolean
}

// A pooler that keeps track of prepared statements gives them names of its own.
const PROBE = 'precedent_probe'

async function inspect(connections: pg.ClientConfig, settings: SessionSettings): Promise<Session> {
  const client = new pg.Client(connections)
  // A loss of the connection fails the statement too.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Found>({
      name: `${PROBE}_${process.pid}_${Date.now()}`,
      text: `
        select
          concat(pg_postmaster_start_time(), ' ', (select oid from pg_database where datname = current_database())) as server,
          pg_backend_pid() as pid,
          exists (select from pg_prepared_statements where starts_with(name, $1)) as "keepsName",
          (select jsonb_object_agg(name, current_setting(name)) from unnest($2::text[]) as name) as actual,
          current_user as role,
          current_database() as database`,
      values: [PROBE, Object.keys(settings)],
    })
    const [found] = rows
    if (!found) throw new Error('The database did not answer.')
    const { pid, keepsName, ...about } = found
    const actual = about.actual ?? {}
    return {
      ...about,
      actual,
      // A pooler gives its clients numbers of its own, for it shares the processes of the server among them.
      isPooled: 'processID' in client && client.processID !== pid,
      tracksPrepared: !keepsName,
      missing: Object.fromEntries(Object.entries(settings).filter(([name, value]) => actual[name] !== value)),
    }
  } finally {
    await client.end().catch(() => {})
  }
}

function warningOf({ missing, actual, role, database }: Session): string {
  const differences = Object.entries(missing).map(([name, value]) => `${name} is ${actual[name]} instead of ${value}`)
  return `In the sessions of DATABASE_URL ${differences.join(', ')}. The service sets this in each transaction, which costs time. To avoid that, run: ${alterRole(role, database, missing)}`
}
