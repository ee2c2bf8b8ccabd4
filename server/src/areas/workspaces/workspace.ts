import { type Db, sql } from '../../platform/db/db.ts'
import { newAuthToken } from '../../platform/id.ts'
import type { StateReader } from '../../platform/operation.ts'
import { type Static, Type } from '../../platform/schema.ts'
import type { Secrets } from '../../platform/secret.ts'

/** The workspace record of the API. */
export const Workspace = Type.Object({
  id: Type.String({ description: 'Workspace id.' }),
  name: Type.String({ description: 'Name of the workspace.' }),
  owner: Type.Object({
    email: Type.String(),
    id: Type.String(),
    name: Type.String(),
    avatar: Type.String({ description: 'URL of a picture; empty when none was given.' }),
  }),
  authToken: Type.String({ description: 'Auth token of the workspace level.' }),
  apiKeyList: Type.Record(
    Type.String(),
    Type.Object({
      apiKeyName: Type.String(),
      id: Type.String(),
      type: Type.String(),
      disabled: Type.Optional(Type.Boolean({ description: 'True while the key is disabled; otherwise absent.' })),
    }),
    { description: 'API keys by their id.' },
  ),
})

interface WorkspaceRow {
  id: string
  name: string
  owner_id: string
  owner_email: string
  owner_name: string
  owner_avatar: string | null
  token_sealed: string
  api_keys: { id: string; name: string; type: string; disabled: boolean }[]
}

/** The context that a workspace's token is sealed with. */
export const workspaceTokenContext = (workspaceId: string): string => `workspace-token:${workspaceId}`

/** Reads a workspace with its API keys in one statement; undefined when there is none. */
export async function findWorkspace(
  db: Db,
  secrets: Secrets,
  id: string,
): Promise<Static<typeof Workspace> | undefined> {
  const [row] = await db.query<WorkspaceRow>(sql`
    select w.id, w.name, w.owner_id, w.owner_email, w.owner_name, w.owner_avatar, w.token_sealed,
      (select coalesce(jsonb_agg(to_jsonb(k) order by k.seq), '[]')
       from (
         select id, name, type, disabled, seq from api_key where workspace_id = w.id and not deleting
       ) k) as api_keys
    from workspace w
    where w.id = ${id}`)
  return row && toWorkspace(row, secrets)
}

function toWorkspace(row: WorkspaceRow, secrets: Secrets): Static<typeof Workspace> {
  return {
    id: row.id,
    name: row.name,
    owner: { email: row.owner_email, id: row.owner_id, name: row.owner_name, avatar: row.owner_avatar ?? '' },
    authToken: secrets.open(row.token_sealed, workspaceTokenContext(row.id)),
    apiKeyList: Object.fromEntries(
      row.api_keys.map(({ id, name, type, disabled }) => [
        id,
        { apiKeyName: name, id, type, ...(disabled && { disabled }) },
      ]),
    ),
  }
}

/** Gives a workspace a new token; the old one stops working with the commit. */
export async function replaceWorkspaceToken(db: Db, secrets: Secrets, workspaceId: string): Promise<string> {
  const token = newAuthToken()
  const sealed = secrets.seal(token, workspaceTokenContext(workspaceId))
  await db.query(sql`
    update workspace
    set token_hash = ${secrets.hash(token)}, token_sealed = ${sealed}
    where id = ${workspaceId}`)
  return token
}

/** The workspace that a call has made, for its audit record. */
export const newWorkspaceState: StateReader = async ({ db, answer }) => {
  const id = (answer as { id?: string } | undefined)?.id ?? null
  const [row] = await db.query(sql`
    select id as "workspaceId", name, owner_email as "ownerEmail" from workspace where id = ${id}`)
  return row ?? null
}
