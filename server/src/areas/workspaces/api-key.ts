import type { WorkspaceTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { inTurn } from '../../platform/db/list-lock.ts'
import { ApiError } from '../../platform/errors.ts'
import { newApiKey, newAuthToken } from '../../platform/id.ts'
import type { StateReader } from '../../platform/operation.ts'
import { type Static, Type } from '../../platform/schema.ts'
import type { Secrets } from '../../platform/secret.ts'

const DEFAULT_TOKEN_NAME = 'Default Auth Token'

export type ApiKeyType = 'testing' | 'production'

/** An auth token as returned to its owner. */
export const AuthToken = Type.Object({
  token: Type.String(),
  name: Type.String(),
  domains: Type.Array(Type.String(), { description: 'Always empty: tokens are not bound to domains.' }),
})

/** The context that an API key's token is sealed with. */
export const authTokenContext = (apiKey: string): string => `auth-token:${apiKey}`

const MAX_KEYS = 1000

/**
 * Adds an API key to a workspace, with a default auth token if wanted; returns the key. RESOURCE_EXHAUSTED if the
 * workspace has 1,000 keys.
 */
export async function insertApiKey(
  db: Db,
  secrets: Secrets,
  key: { workspaceId: string; ownerEmail: string; name: string; type: ApiKeyType; withToken: boolean },
): Promise<string> {
  const id = newApiKey()
  const [inserted] = await inTurn(db, `api_key ${key.workspaceId}`).query(sql`
    insert into api_key (id, workspace_id, owner_email, name, type)
    select ${id}, ${key.workspaceId}, ${key.ownerEmail}, ${key.name}, ${key.type}
    where (select count(*) from api_key where workspace_id = ${key.workspaceId}) < ${MAX_KEYS}
    returning id`)
  if (!inserted) throw new ApiError('RESOURCE_EXHAUSTED', `A workspace has at most ${MAX_KEYS} API keys.`)
  if (key.withToken) await replaceAuthToken(db, secrets, id)
  return id
}

/** Gives an API key a new default token; the old one stops working with the commit. */
export async function replaceAuthToken(db: Db, secrets: Secrets, apiKey: string): Promise<Static<typeof AuthToken>> {
  const token = newAuthToken()
  const sealed = secrets.seal(token, authTokenContext(apiKey))
  await db.query(sql`
    insert into auth_token (api_key, name, hash, sealed)
    values (${apiKey}, ${DEFAULT_TOKEN_NAME}, ${secrets.hash(token)}, ${sealed})
    on conflict (api_key, name) do update
    set hash = excluded.hash, sealed = excluded.sealed, created_at = now_ms()`)
  return { token, name: DEFAULT_TOKEN_NAME, domains: [] }
}

/** NOT_FOUND unless the API key belongs to the workspace. A key of another workspace counts as unknown. */
export async function requireApiKey(db: Db, tenant: WorkspaceTenant, apiKey: string): Promise<void> {
  const [found] = await db.query(sql`
    select id from api_key where id = ${apiKey} and workspace_id = ${tenant.workspaceId} and not deleting`)
  if (!found) throw new ApiError('NOT_FOUND', 'API key not found.')
}

/** The local part of the address with its first letter in upper case, and the type of the key. */
export function defaultApiKeyName(ownerEmail: string, type: ApiKeyType): string {
  const local = ownerEmail.slice(0, ownerEmail.lastIndexOf('@'))
  const [first = '', ...rest] = local
  return `${first.toUpperCase()}${rest.join('')} ${type === 'testing' ? 'Test' : 'Production'} API Key`
}

/** The API key that a call names or makes, for its audit record. */
export const apiKeyState: StateReader = async ({ db, tenant, input, answer }) => {
  const id = input.apiKey ?? (answer as { apiKey?: string } | undefined)?.apiKey ?? null
  const [row] = await db.query(sql`
    select name as "apiKeyName", type, owner_email as "ownerEmail", disabled, deleting as deleted
    from api_key
    where id = ${id} and workspace_id = ${tenant?.workspaceId ?? null}`)
  return row ?? null
}
