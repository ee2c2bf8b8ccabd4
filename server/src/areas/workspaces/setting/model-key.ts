import type { ApiKeyScope, ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { headerKey, oneOf, type Static, Type } from '../../../platform/schema.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { readSetting, readSettingForUpdate, writeSetting } from './setting.ts'

const NAME = 'ai-model-keys'

const PROVIDERS: ['openai', 'anthropic', 'gemini'] = ['openai', 'anthropic', 'gemini']

/** The customer's own key for a provider of AI models. */
export const ModelKey = Type.Object({
  provider: oneOf(PROVIDERS, 'Whose models. The key for `openai` is sent to the embeddings service of the operator.'),
  customerApiKey: headerKey('The key, which is kept encrypted and never shown again; empty: none any more.'),
})
export type ModelKey = Static<typeof ModelKey>

/** The keys that are set, by provider, each shown by its last characters only. */
export const MaskedModelKeys = Type.Record(
  Type.String(),
  Type.Object({ displayText: Type.String({ description: 'The last four characters of the key behind dots.' }) }),
  { description: 'The keys for providers of AI models that are set.' },
)

/** SQL: whether an API key ever set a key of its own. If not, `readModelKey` need not be called. */
export const hasModelKeys = (apiKey: string): Sql =>
  sql`exists (select from setting where api_key = ${apiKey} and name = ${NAME})`

/** The key that the API key's texts are embedded with; undefined: the operator's. */
export async function readModelKey(db: Db, tenant: ApiKeyScope, secrets: Secrets): Promise<string | undefined> {
  return (await readSetting(db, tenant, secrets, NAME))?.secrets.openai
}

/** The keys that are set, masked. */
export async function readMaskedModelKeys(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
): Promise<Static<typeof MaskedModelKeys>> {
  return masked((await readSetting(db, tenant, secrets, NAME))?.secrets ?? {})
}

/** Sets the keys of the named providers and keeps the others. Returns the named ones that are set, masked. */
export async function updateModelKeys(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
  keys: ModelKey[],
): Promise<Static<typeof MaskedModelKeys>> {
  const stored = await readSettingForUpdate(db, tenant, secrets, NAME)
  const changes = Object.fromEntries(keys.map(({ provider, customerApiKey }) => [provider, customerApiKey]))
  await writeSetting(db, tenant, secrets, {
    name: NAME,
    value: {},
    secrets: onlySet({ ...stored?.secrets, ...changes }),
  })
  return masked(onlySet(changes))
}

/** The keys that are not empty. */
const onlySet = (keys: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(keys).filter(([, key]) => key !== ''))

function masked(keys: Record<string, string>): Static<typeof MaskedModelKeys> {
  return Object.fromEntries(
    Object.entries(keys).map(([provider, key]) => [
      provider,
      { displayText: `••••${key.length < 12 ? '' : key.slice(-4)}` },
    ]),
  )
}
