import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { auditCommand } from '../areas/audit/audit-call.ts'
import { checkSecretKeys } from '../check-secret-keys.ts'
import { openDatabase, openSecretKeys } from '../open-database.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { type Database, sql } from '../platform/db/db.ts'
import { holdsCluster } from '../platform/db/embedded/data-directory.ts'
import { type About, findData, importData } from '../platform/db/transfer.ts'
import { linesOf } from '../platform/lines.ts'
import { createLog } from '../platform/log.ts'
import { migrate, migrationNames } from '../platform/migrate.ts'
import type { SecretKey } from '../platform/secret.ts'
import { runCommand } from './run-command.ts'

/**
 * Fills an empty database with the backup on standard input, as lines of JSON. It refuses a database with data, and
 * changes nothing unless the whole backup is there and the master keys open its secrets. A backup of an earlier version
 * is brought to this one.
 */
async function main([option]: string[]): Promise<void> {
  const config = readConfig()
  const lines = linesOf(process.stdin)
  const head = await readHead(lines)
  const keys = await keysFor(head.about, config)
  const isNew = config.databaseUrl === undefined && !holdsCluster(config.dataDir)
  const database = await openDatabase(config, createLog(config))
  let rows: number | undefined
  try {
    await prepare(database, head.migrations)
    rows = await importData(database, withHead(head, lines), (db) => checkSecretKeys(db, config, keys))
    await migrate(database)
    const detail = { ...head.about, rows }
    await database.transaction((db) => auditCommand(db, { action: 'restore', detail }))
  } finally {
    await database.close()
    if (rows === undefined && isNew) await removeCluster(config)
  }
  const { at } = head.about
  const text = option === '--json' ? JSON.stringify({ rows, at }) : `${rows} rows are restored, as of ${at}.`
  process.stdout.write(`${text}\n`)
}

interface Head {
  about: About
  migrations: string[]
}

/** What an export says of itself; v0.1.0 said nothing but its migrations. */
async function readHead(lines: AsyncIterator<string>): Promise<Head> {
  const first = await readMark(lines)
  const [about, [kind, names]] = first[0] === 'about' ? [first[1], await readMark(lines)] : [UNKNOWN, first]
  if (kind !== 'migrations') throw NO_BACKUP
  return { about: about as About, migrations: String(names).split(' ') }
}

const UNKNOWN: About = { at: 'an unknown time', keys: [], rows: 0 }
const NO_BACKUP = new Error('This is no backup of Precedent, or it is damaged. Nothing was changed.')

async function readMark(lines: AsyncIterator<string>): Promise<unknown[]> {
  const { value = '' } = await lines.next()
  try {
    const mark: unknown = JSON.parse(value)
    if (Array.isArray(mark)) return mark
  } catch {
    // Anything else is no backup either.
  }
  throw NO_BACKUP
}

async function* withHead({ migrations }: Head, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield JSON.stringify(['migrations', migrations.join(' ')])
  yield* rest
}

/** The master keys of the target, which must be there already: a backup does not hold them. */
async function keysFor({ keys: needed }: About, config: Config): Promise<SecretKey[]> {
  const { databaseUrl, secretKeys, dataDir } = config
  const file = join(dataDir, 'secret-keys')
  const names = needed.join(', ') || 'of its time'
  if (databaseUrl === undefined && secretKeys === undefined && !existsSync(file)) {
    throw new Error(
      `The backup needs the master keys of its server (${names}). Put its file at ${file}, or set SECRET_KEYS.`,
    )
  }
  const keys = await openSecretKeys(config)
  const missing = needed.filter((id) => !keys.some((key) => key.id === id))
  if (missing.length === 0) return keys
  const source = secretKeys === undefined ? file : 'SECRET_KEYS'
  throw new Error(
    `The backup needs the master keys ${names}; ${source} lacks ${missing.join(', ')}. Nothing was changed.`,
  )
}

/** Brings an empty database to the migrations of the backup. */
async function prepare(database: Database, names: string[]): Promise<void> {
  const table = await findData(database)
  if (table !== undefined) {
    throw new Error(`The database holds data already (${table}). Restore into an empty one. Nothing was changed.`)
  }
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new Error(
      `The backup was made by a later version of Precedent (${unknown.join(', ')}). Restore it with that version.`,
    )
  }
  await migrate(database, { isDue: (name) => names.includes(name) }).catch((error: Error) => {
    // As where the disk is full. The tables that are made by then stay, without a row.
    throw new Error(`${error.message}. No data was changed.`, { cause: error })
  })
  const later = await database.query<{ name: string }>(sql`select name from migration where name <> all(${names})`)
  if (later.length === 0) return
  throw new Error('The database was prepared by a later version than the backup. Restore into a new database.')
}

async function removeCluster({ dataDir }: Config): Promise<void> {
  for (const name of ['postgres', 'version.json']) await rm(join(dataDir, name), { recursive: true, force: true })
}

const known = await migrationNames()

runCommand(main)
