import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { oneOf, type Static, Type } from '../../../platform/schema.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { readSetting, readSettingForUpdate, settingState, writeSetting } from './setting.ts'

const NAME = 'api-key-options'

/** The options for an audit record. */
export const optionState = settingState(NAME)

/** What the owner of an API key can configure. A changed default access type concerns only what is added later. */
export const Options = Type.Object({
  advancedQueries: Type.Boolean({ description: 'Whether folders can be queried.' }),
  defaultDocumentAccessType: oneOf(
    ['public', 'restricted', 'organizationPrivate'],
    'The access type that new documents and folders at the top level get where none is sent.',
  ),
  isPrivateCommentsEnabled: Type.Boolean({ description: 'Whether comments may be private.' }),
  requireJwtToken: Type.Boolean({ description: 'Whether browser clients must sign in with a JWT.' }),
  requireAutoOrgUser: Type.Boolean({
    description: 'Whether browser clients add users to the organization by themselves.',
  }),
})
export type Options = Static<typeof Options>

const DEFAULTS: Options = {
  advancedQueries: true,
  defaultDocumentAccessType: 'public',
  isPrivateCommentsEnabled: false,
  requireJwtToken: false,
  requireAutoOrgUser: true,
}

/** The options of an API key, with defaults for what was never set. */
export async function readOptions(db: Db, tenant: ApiKeyTenant, secrets: Secrets): Promise<Options> {
  return { ...DEFAULTS, ...(await readSetting(db, tenant, secrets, NAME))?.value }
}

/** Changes some options of an API key and keeps the others. */
export async function updateOptions(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
  changes: Partial<Options>,
): Promise<void> {
  const stored = await readSettingForUpdate(db, tenant, secrets, NAME)
  await writeSetting(db, tenant, secrets, { name: NAME, value: { ...stored?.value, ...changes }, secrets: {} })
}

/**
 * SQL: the access type of their own that new top-level documents and folders get: the API key's
 * `defaultDocumentAccessType`. It is null for `public`, which resources are that have none.
 */
export const accessTypeOfNew = (apiKey: string): Sql => sql`
  (
    select nullif(value ->> 'defaultDocumentAccessType', 'public')
    from setting
    where api_key = ${apiKey} and name = ${NAME})`
