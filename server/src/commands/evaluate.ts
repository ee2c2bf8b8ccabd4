import { parseArgs } from 'node:util'
import { evaluate, planEvaluation } from '../areas/memory/evaluation/evaluate.ts'
import { reportPage } from '../areas/memory/evaluation/report-page.ts'
import { openFittingKeys } from '../check-secret-keys.ts'
import { readConfig } from '../platform/config.ts'
import type { Services } from '../platform/context.ts'
import { endsOf } from '../platform/date-range.ts'
import { type Database, type Db, sql } from '../platform/db/db.ts'
import { openEmbedder } from '../platform/embedder/open-embedder.ts'
import { createSecrets } from '../platform/secret.ts'
import { onDatabase } from './on-database.ts'
import { runCommand } from './run-command.ts'

const USAGE = `usage: evaluate <API key or workspace id> [--from <date>]

Asks about the judgments since the date (without one: the last 30 %) what would have been suggested and found then.`

/** Prints how well search and suggest would have done on the past of an API key, or of each API key of a workspace. */
async function main(args: string[]): Promise<void> {
  const { id, from } = parse(args)
  const config = readConfig()
  const embedder = await openEmbedder(config)
  try {
    await onDatabase(config, async (database) => {
      const secrets = createSecrets(await openFittingKeys(database, config))
      const keys = await apiKeysOf(database, id)
      if (keys.length === 0) throw new Error(`There is no API key and no workspace ${id}.`)
      for (const key of keys)
        process.stdout.write(`${await pageOf(database, key, from, { embedder, secrets, config })}\n`)
    })
  } finally {
    await embedder?.close()
  }
}

function parse(args: string[]): { id: string; from: number | undefined } {
  const { values, positionals } = parseArgs({ args, options: { from: { type: 'string' } }, allowPositionals: true })
  const [id] = positionals
  if (id === undefined || positionals.length > 1) throw new Error(USAGE)
  const from = values.from === undefined ? undefined : endsOf({ start: values.from }).start
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

async function pageOf(
  database: Database,
  key: Key,
  from: number | undefined,
  means: Pick<Services, 'embedder' | 'secrets' | 'config'>,
): Promise<string> {
  const plan = await planEvaluation(database, key, { from, now: Date.now() })
  const steps = evaluate(database, key, plan, means)
  for (;;) {
    const step = await steps.next()
    if (step.done) return reportPage(`${key.name} (${key.apiKey})`, step.value)
  }
}

runCommand(main, USAGE)
