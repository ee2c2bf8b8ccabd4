import { parseArgs } from 'node:util'
import { evaluationReport } from '../areas/memory/evaluation/evaluation-report.ts'
import { readHistory, startOfLast } from '../areas/memory/evaluation/read-history.ts'
import { replay } from '../areas/memory/evaluation/replay.ts'
import { openDatabase } from '../open-database.ts'
import { readConfig } from '../platform/config.ts'
import { type Database, type Db, sql } from '../platform/db/db.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'

const USAGE = `evaluate <API key or workspace id> [--from <date>]

Asks about the judgments since the date (without one: the last 30 %) what would have been suggested and found then.`

const ASKED_SHARE = 0.3

/** Prints how well search and suggest would have done on the past of an API key, or of each API key of a workspace. */
async function main(args: string[]): Promise<void> {
  const { id, from } = parse(args)
  const config = readConfig()
  const database = await openDatabase(config, createLog(config))
  try {
    await migrate(database)
    const keys = await apiKeysOf(database, id)
    if (keys.length === 0) throw new Error(`There is no API key and no workspace ${id}.`)
    for (const key of keys) process.stdout.write(`${await evaluate(database, key, from)}\n`)
  } finally {
    await database.close()
  }
}

function parse(args: string[]): { id: string; from: number | undefined } {
  const { values, positionals } = parseArgs({ args, options: { from: { type: 'string' } }, allowPositionals: true })
  const [id] = positionals
  if (id === undefined || positionals.length > 1) throw new Error(USAGE)
  const from = values.from === undefined ? undefined : Date.parse(values.from)
  if (Number.isNaN(from)) throw new Error(`--from: ${values.from} is no date such as 2026-01-31.`)
  return { id, from }
}

interface Key {
  apiKey: string
  workspaceId: string
  name: string
}

const apiKeysOf = (db: Db, id: string): Promise<Key[]> =>
  db.query<Key>(sql`
    select id as "apiKey", workspace_id as "workspaceId", name
    from api_key
    where id = ${id} or workspace_id = ${id}
    order by seq`)

async function evaluate(database: Database, key: Key, since: number | undefined): Promise<string> {
  const from = since ?? (await startOfLast(database, key, ASKED_SHARE)) ?? Date.now()
  return evaluationReport(`${key.name} (${key.apiKey})`, from, await replay(readHistory(database, key), from))
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
