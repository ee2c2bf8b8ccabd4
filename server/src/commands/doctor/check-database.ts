import { openFittingKeys } from '../../check-secret-keys.ts'
import { openDatabase } from '../../open-database.ts'
import type { Config } from '../../platform/config.ts'
import { type Database, sql } from '../../platform/db/db.ts'
import { DirectoryInUse } from '../../platform/db/embedded/directory-lock.ts'
import { FURTHER_CONNECTIONS } from '../../platform/db/postgres/connection-counts.ts'
import { migrationNames } from '../../platform/migrate.ts'
import { checkEndpoints } from './check-endpoints.ts'
import { checkLocks } from './check-locks.ts'
import { findLackingRights } from './check-rights.ts'
import { checkRoom } from './check-room.ts'
import { type Finding, failure, ok, reasonOf, warning } from './finding.ts'

const DATABASE = 'database'
const LEAST_VERSION = 150_000
const MOST_SKEW_MS = 5000

/**
 * Opens the database and checks its settings, its locks, its clock, the rights of its role, its migrations, the secrets
 * in it and the webhook endpoints. It changes nothing.
 */
export async function* checkDatabase(config: Config): AsyncGenerator<Finding> {
  const warnings: string[] = []
  const log = { warn: (message: unknown) => void warnings.push(String(message)), error: () => {} }
  let database: Database
  try {
    database = await openDatabase({ ...config, warnings: [] }, log)
  } catch (error) {
    if (error instanceof DirectoryInUse) return yield warning(DATABASE, IN_USE, ASK)
    return yield failure(DATABASE, `The database cannot be opened: ${reasonOf(error)}`, mendOf(error, config))
  }
  try {
    yield ok(DATABASE, `The ${database.kind} database opens.`)
    for (const message of warnings) yield warning('connection pooler', message, POOLER)
    if (database.kind === 'postgres') yield* await checkServer(database, config)
    yield await checkClock(database)
    const lacking = await findLackingRights(database)
    if (lacking) yield lacking
    if (lacking?.status !== 'failure') yield* await checkContents(database, config)
  } catch (error) {
    yield failure(DATABASE, `The database cannot be read: ${reasonOf(error)}`, 'The log of PostgreSQL may say more.')
  } finally {
    await database.close()
  }
}

const IN_USE = 'A server has the embedded database open, so what is in it was not checked.'
const ASK = 'Check that server with `precedent doctor --server <address>`, or stop it and check again.'
const POOLER = 'docs/operations.md, "Behind a connection pooler", shows what to set.'

function mendOf(error: unknown, { databaseUrl, dataDir }: Config): string {
  if (/pooler/.test(reasonOf(error))) return POOLER
  if (/too many|remaining connection slots/.test(reasonOf(error))) return MORE_CONNECTIONS
  if (reasonOf(error).startsWith('DATABASE_DIRECT_URL'))
    return 'Let DATABASE_DIRECT_URL lead to the same database as DATABASE_URL, without the pooler.'
  if (databaseUrl !== undefined) return 'Check DATABASE_URL, and that PostgreSQL runs and accepts this user from here.'
  return `Let the user of the server own ${dataDir} and write there, or set DATA_DIR to another directory.`
}

const MORE_CONNECTIONS =
  'Raise max_connections, or the limit of the role or the database, or lower DATABASE_POOL_SIZE of each process.'

interface Settings {
  version: number
  fsync: string
  fullPageWrites: string
  synchronousCommit: string
  /** Where the role or the database has a limit of its own, the lowest of them. */
  maxConnections: number
  readOnly: string
}

const WRITABLE =
  'Let DATABASE_URL lead to the primary instead of a standby, or set default_transaction_read_only to off.'

async function checkServer(database: Database, { databasePoolSize }: Config): Promise<Finding[]> {
  const [settings] = await database.query<Settings>(sql`
    select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('transaction_read_only') as "readOnly",
      least(
        current_setting('max_connections')::int,
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
      ) as "maxConnections"`)
  if (!settings) return []
  const found = faultsOf(settings, databasePoolSize + FURTHER_CONNECTIONS)
  if (found.length === 0) found.push(ok(SETTINGS, 'Writes survive a crash, and connections suffice for a process.'))
  if (settings.readOnly === 'off') found.push(...(await checkRoom(database)))
  return [...found, ...(await checkLocks(database))]
}

const SETTINGS = 'database settings'

/** What is wrong with the settings of a server, of which a process needs `needed` connections. */
function faultsOf({ version, maxConnections, ...settings }: Settings, needed: number): Finding[] {
  const found: Finding[] = []
  if (version < LEAST_VERSION)
    found.push(failure(SETTINGS, `PostgreSQL is of version ${version}.`, 'Use PostgreSQL 15 or later.'))
  for (const [name, value] of [
    ['fsync', settings.fsync],
    ['full_page_writes', settings.fullPageWrites],
    ['synchronous_commit', settings.synchronousCommit],
  ] as const) {
    const message = `${name} is off: acknowledged writes can be lost in a crash.`
    if (value === 'off') found.push(failure(SETTINGS, message, `Set ${name} to on in PostgreSQL.`))
  }
  if (settings.readOnly === 'on') found.push(failure(SETTINGS, 'The database takes no writes.', WRITABLE))
  if (maxConnections < needed) {
    const message = `PostgreSQL allows ${maxConnections} connections; each process needs up to ${needed}.`
    found.push(warning(SETTINGS, message, MORE_CONNECTIONS))
  }
  return found
}

async function checkClock(database: Database): Promise<Finding> {
  const [row] = await database.query<{ now: number }>(sql`
    select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now`)
  const skew = Math.abs((row?.now ?? 0) - Date.now())
  if (skew <= MOST_SKEW_MS) return ok('clock', 'The clocks of this machine and of the database agree.')
  const message = `The clocks of this machine and of the database differ by ${Math.round(skew / 1000)} s.`
  return warning('clock', message, 'Set both by NTP: signatures and tokens depend on the time.')
}

async function checkContents(database: Database, config: Config): Promise<Finding[]> {
  const check = 'migrations'
  const [table] = await database.query<{ exists: boolean }>(sql`select to_regclass('migration') is not null as exists`)
  if (!table?.exists)
    return [warning(check, 'The database is empty.', 'A start of the server, or `precedent migrate`, prepares it.')]
  const applied = await database.query<{ name: string }>(sql`select name from migration order by name`)
  const known = await migrationNames()
  const unknown = applied.filter(({ name }) => !known.includes(name))
  const [newest] = unknown.slice(-1)
  if (newest) {
    const message = `The database is newer than this program: it has ${newest.name}.`
    return [failure(check, message, 'Run the version of the program that made it, or a later one.')]
  }
  const missing = known.length - applied.length
  if (missing > 0) {
    const message = `The database lacks ${missing} migrations of this program.`
    return [warning(check, message, 'A start of the server, or `precedent migrate`, applies them.')]
  }
  return [
    ok(check, `The database has all ${known.length} migrations.`),
    await checkKeys(database, config),
    await checkEndpoints(database),
  ]
}

async function checkKeys(database: Database, config: Config): Promise<Finding> {
  try {
    await openFittingKeys(database.checks, config)
    return ok('secret keys', 'They open what is stored.')
  } catch (error) {
    return failure('secret keys', reasonOf(error), 'Without these keys, the stored secrets cannot be read.')
  }
}
