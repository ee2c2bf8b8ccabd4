import { authTokenContext, replaceAuthToken } from '../areas/workspaces/api-key.ts'
import { findWorkspace, replaceWorkspaceToken } from '../areas/workspaces/workspace.ts'
import { checkSecretKeys } from '../check-secret-keys.ts'
import { openDatabase, openSecretKeys } from '../open-database.ts'
import { readConfig } from '../platform/config.ts'
import { type Database, sql } from '../platform/db/db.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'
import { createSecrets, type Secrets } from '../platform/secret.ts'

const USAGE = `Lists the credentials of this installation, or resets lost ones:
  npm run --silent credentials                              all workspaces with their API keys
  npm run --silent credentials -- <owner's email>           those of one owner
  npm run --silent credentials -- reset <workspace id>      gives a workspace a new auth token
  npm run --silent credentials -- reset <API key>           gives an API key a new auth token
`

/** Lists or resets credentials. It needs the database and the master keys, so only the operator can run it. */
async function main(args: string[]): Promise<void> {
  const [first, subject] = args
  if (args.includes('--help') || args.length > 2 || (first === 'reset') !== (args.length === 2)) {
    process.stdout.write(USAGE)
    return
  }
  const config = readConfig()
  const database = await openDatabase(config, createLog(config))
  try {
    await migrate(database)
    const keys = await openSecretKeys(config)
    await checkSecretKeys(database, config, keys)
    const secrets = createSecrets(keys)
    if (subject !== undefined) await reset(database, secrets, subject)
    else await list(database, secrets, first)
  } finally {
    await database.close()
  }
}

async function list(database: Database, secrets: Secrets, ownerEmail: string | undefined): Promise<void> {
  const workspaces = await database.query<{ id: string }>(sql`
    select id
    from workspace
    where ${ownerEmail ?? null}::text is null or lower(owner_email) = lower(${ownerEmail ?? null})
    order by created_at, id`)
  if (workspaces.length === 0) process.stdout.write('There is no such workspace.\n')
  for (const { id } of workspaces) {
    const workspace = await findWorkspace(database, secrets, id)
    if (!workspace) continue
    print(`${workspace.name} (${workspace.owner.email})`)
    print(`  workspace id          ${id}`)
    print(`  workspace auth token  ${workspace.authToken}`)
    for (const { id: apiKey, apiKeyName, type, disabled } of Object.values(workspace.apiKeyList)) {
      print(`  API key               ${apiKey}  ${apiKeyName}, ${type}${disabled ? ', disabled' : ''}`)
      for (const token of await tokensOf(database, secrets, apiKey)) print(`    auth token          ${token}`)
    }
  }
}

async function tokensOf(database: Database, secrets: Secrets, apiKey: string): Promise<string[]> {
  const rows = await database.query<{ sealed: string }>(sql`
    select sealed from auth_token where api_key = ${apiKey} order by name`)
  return rows.map(({ sealed }) => secrets.open(sealed, authTokenContext(apiKey)))
}

async function reset(database: Database, secrets: Secrets, subject: string): Promise<void> {
  const [known] = await database.query<{ kind: 'workspace' | 'API key' }>(sql`
    select 'workspace' as kind from workspace where id = ${subject}
    union all
    select 'API key' from api_key where id = ${subject} and not deleting`)
  if (!known) throw new Error(`There is no workspace and no API key ${subject}.`)
  const token =
    known.kind === 'workspace'
      ? await replaceWorkspaceToken(database, secrets, subject)
      : (await replaceAuthToken(database, secrets, subject)).token
  print(`The ${known.kind} ${subject} has a new auth token; the old one no longer works:`)
  print(`  ${token}`)
}

const print = (line: string) => process.stdout.write(`${line}\n`)

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
