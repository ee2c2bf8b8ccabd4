import { auditCommand } from '../areas/audit/audit-call.ts'
import { authTokenContext, replaceAuthToken } from '../areas/workspaces/api-key.ts'
import { findWorkspace, replaceWorkspaceToken } from '../areas/workspaces/workspace.ts'
import { openFittingKeys } from '../check-secret-keys.ts'
import { readConfig } from '../platform/config.ts'
import { type Database, sql } from '../platform/db/db.ts'
import { createSecrets, type Secrets } from '../platform/secret.ts'
import { onDatabase } from './on-database.ts'
import { runCommand } from './run-command.ts'

/**
 * For the command line: writes the credentials of this installation as lines of JSON, or those of an owner (`<email>`),
 * or replaces a token (`reset <workspace id or API key>`).
 */
async function main([first, subject]: string[]): Promise<void> {
  const config = readConfig()
  await onDatabase(config, async (database) => {
    const secrets = createSecrets(await openFittingKeys(database, config))
    if (subject !== undefined) await reset(database, secrets, subject)
    else await list(database, secrets, first)
  })
}

async function list(database: Database, secrets: Secrets, ownerEmail: string | undefined): Promise<void> {
  await database.transaction((db) =>
    auditCommand(db, { action: 'credentials', detail: { ownerEmail: ownerEmail ?? null } }),
  )
  const workspaces = await database.query<{ id: string }>(sql`
    select id
    from workspace
    where ${ownerEmail ?? null}::text is null or lower(owner_email) = lower(${ownerEmail ?? null})
    order by created_at, id`)
  for (const { id } of workspaces) {
    const workspace = await findWorkspace(database, secrets, id)
    if (!workspace) continue
    const { name, owner, authToken } = workspace
    const apiKeys: object[] = []
    for (const { id: apiKey, apiKeyName, type, disabled = false } of Object.values(workspace.apiKeyList)) {
      apiKeys.push({ apiKey, name: apiKeyName, type, disabled, authTokens: await tokensOf(database, secrets, apiKey) })
    }
    print({ workspaceId: id, name, ownerEmail: owner.email, authToken, apiKeys })
  }
}

async function tokensOf(database: Database, secrets: Secrets, apiKey: string): Promise<string[]> {
  const rows = await database.query<{ sealed: string }>(sql`
    select sealed from auth_token where api_key = ${apiKey} order by name`)
  return rows.map(({ sealed }) => secrets.open(sealed, authTokenContext(apiKey)))
}

async function reset(database: Database, secrets: Secrets, subject: string): Promise<void> {
  const [known] = await database.query<{ kind: 'workspace' | 'API key'; workspaceId: string }>(sql`
    select 'workspace' as kind, id as "workspaceId" from workspace where id = ${subject}
    union all
    select 'API key', workspace_id from api_key where id = ${subject} and not deleting`)
  if (!known) throw new Error(`There is no workspace and no API key ${subject}.`)
  const { kind, workspaceId } = known
  const authToken = await database.transaction(async (db) => {
    const made =
      kind === 'workspace'
        ? await replaceWorkspaceToken(db, secrets, subject)
        : (await replaceAuthToken(db, secrets, subject)).token
    const apiKey = kind === 'workspace' ? null : subject
    await auditCommand(db, { action: 'credentials reset', workspaceId, apiKey, detail: { subject } })
    return made
  })
  print({ kind, id: subject, authToken })
}

const print = (record: object) => process.stdout.write(`${JSON.stringify(record)}\n`)

runCommand(main)
