import { type ApiKeyScope, type ApiKeyTenant, apiKeyOf } from '../../../platform/context.ts'
import { type Db, json, sql } from '../../../platform/db/db.ts'
import type { StateReader } from '../../../platform/operation.ts'
import type { Secrets } from '../../../platform/secret.ts'

/** A stored setting of an API key: its plain fields, and its secret fields. */
export interface Setting {
  value: Record<string, unknown>
  secrets: Record<string, string>
}

/** The context that the secret fields of a setting are sealed with. */
export const settingContext = (apiKey: string, name: string): string => `setting:${apiKey}:${name}`

/** Reads a setting; undefined when it was never stored. */
export async function readSetting(
  db: Db,
  tenant: ApiKeyScope,
  secrets: Secrets,
  name: string,
): Promise<Setting | undefined> {
  const [row] = await db.query<SettingRow>(sql`
    select name, value, sealed from setting where api_key = ${tenant.apiKey} and name = ${name}`)
  return row && openSetting(row, tenant, secrets)
}

/** Reads all settings of the API key, by name, as they are stored. `openSetting` opens one. */
export async function readSettingRows(db: Db, { apiKey }: ApiKeyScope): Promise<Map<string, SettingRow>> {
  const rows = await db.query<SettingRow>(sql`select name, value, sealed from setting where api_key = ${apiKey}`)
  return new Map(rows.map((row) => [row.name, row]))
}

/** A setting as stored. Its secrets are apart, sealed. */
export interface SettingRow {
  name: string
  value: Record<string, unknown>
  sealed: string | null
}

/** Opens the secret fields of a stored setting. */
export const openSetting = (
  { name, value, sealed }: SettingRow,
  { apiKey }: ApiKeyScope,
  secrets: Secrets,
): Setting => ({
  value,
  secrets: sealed ? JSON.parse(secrets.open(sealed, settingContext(apiKey, name))) : {},
})

/** Reads a setting and locks it until the transaction ends, so that read, merge and write are one step. */
export async function readSettingForUpdate(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
  name: string,
): Promise<Setting | undefined> {
  await db.query(sql`select from api_key where id = ${tenant.apiKey} for no key update`)
  return readSetting(db, tenant, secrets, name)
}

/** Stores a whole setting, its secret fields sealed. */
export async function writeSetting(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
  { name, ...setting }: Setting & { name: string },
): Promise<void> {
  const hasSecrets = Object.keys(setting.secrets).length > 0
  const sealed = hasSecrets ? secrets.seal(JSON.stringify(setting.secrets), settingContext(tenant.apiKey, name)) : null
  await db.query(sql`
    insert into setting (api_key, name, value, sealed)
    values (${tenant.apiKey}, ${name}, ${json(setting.value)}, ${sealed})
    on conflict (api_key, name) do update
    set value = excluded.value, sealed = excluded.sealed, updated_at = now_ms()`)
}

/** Reads a setting for an audit record: its plain fields, never the sealed ones. */
export const settingState =
  (name: string): StateReader =>
  async ({ db, tenant }) => {
    const apiKey = apiKeyOf(tenant)
    const [row] = await db.query<{ value: object }>(sql`
      select value from setting where api_key = ${apiKey} and name = ${name}`)
    return row?.value ?? null
  }
