import type { ApiKeyScope, ApiKeyTenant } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { ChangeContext } from '../../../platform/event.ts'
import { knownFields } from '../../../platform/http/body/known-fields.ts'
import { isObject } from '../../../platform/json-value.ts'
import type { TObject } from '../../../platform/schema.ts'
import type { Secrets } from '../../../platform/secret.ts'
import {
  openSetting,
  readSetting,
  readSettingForUpdate,
  readSettingRows,
  type Setting,
  writeSetting,
} from './setting.ts'
import { mergeTriggers, type Triggers } from './trigger.ts'

/** A part of the service that each API key enables and configures: email, webhooks, activity logs … */
export interface ServiceKind<Config> {
  /** The name of its stored setting. */
  name: string
  /** Its configuration; fields that it does not name are ignored. */
  schema: TObject
  /** The configuration where nothing was set. */
  defaults: Config
  /** The fields that are stored encrypted. */
  secretFields: (keyof Config & string)[]
  /** What the first enable stores in addition to its change. */
  seed: (now: number) => Partial<Config>
  /** What enables the service besides its switch. */
  alsoEnables?: (change: Partial<Config>) => boolean
}

/** Whether a service is enabled, and its configuration with defaults for what was never set. */
export interface ServiceState<Config> {
  isOn: boolean
  config: Config
  /** False until the first update. */
  isConfigured: boolean
}

/** An update; what it leaves out stays. */
export interface ServiceChange<Config> {
  isOn?: boolean | undefined
  /** Null gives a text its default. */
  config?:
    | { [Field in keyof Config]?: DeepPartial<Config[Field]> | (Config[Field] extends string ? null : never) }
    | undefined
}

type DeepPartial<Value> = Value extends object ? { [Key in keyof Value]?: DeepPartial<Value[Key]> } : Value

/** Reads a service of an API key. */
export async function readService<Config extends object>(
  db: Db,
  tenant: ApiKeyScope,
  secrets: Secrets,
  kind: ServiceKind<Config>,
): Promise<ServiceState<Config>> {
  return toState(kind, stored(await readSetting(db, tenant, secrets, kind.name)))
}

/**
 * Reads the settings of the API key for all reactions of a transaction. A reaction names it to have them read ahead.
 */
export const settingsForChange = ({ db, tenant, once }: ChangeContext) =>
  once('settings', () => readSettingRows(db, tenant))

/** As `readService`, for a reaction to a change: the settings of the API key are read once in its transaction. */
export async function serviceForChange<Config extends object>(
  context: ChangeContext,
  kind: ServiceKind<Config>,
): Promise<ServiceState<Config>> {
  const { tenant, secrets } = context
  const row = (await settingsForChange(context)).get(kind.name)
  return toState(kind, stored(row && openSetting(row, tenant, secrets)))
}

/**
 * Merges a change into a service and returns the whole. On a first enable the seed comes between the stored values and
 * the change. An enable counts as first while the service is off and has no trigger stored.
 */
export async function updateService<Config extends object>(
  { db, secrets, clock }: { db: Db; secrets: Secrets; clock: { now(): number } },
  tenant: ApiKeyTenant,
  kind: ServiceKind<Config>,
  change: ServiceChange<Config>,
): Promise<ServiceState<Config>> {
  const before = stored(await readSettingForUpdate(db, tenant, secrets, kind.name))
  const config = withDefaults(kind, knownFields(kind.schema, change.config ?? {}) as Values) as Partial<Config>
  const enables = change.isOn === true || kind.alsoEnables?.(config) === true
  const isFirst = enables && !before.isOn && Object.keys(before.config.triggers ?? {}).length === 0
  const after: Stored = {
    isOn: change.isOn ?? (isFirst || before.isOn),
    isConfigured: true,
    config: merge(isFirst ? merge(before.config, { ...kind.seed(clock.now()) }) : before.config, { ...config }),
  }
  await writeSetting(db, tenant, secrets, { name: kind.name, ...toSetting(after, kind.secretFields) })
  return toState(kind, after)
}

type Values = Record<string, unknown>
type Stored = ServiceState<Values>

const stored = (setting: Setting | undefined): Stored => ({
  isOn: setting?.value.isOn === true,
  isConfigured: setting !== undefined,
  config: { ...(setting?.value.config as Values | undefined), ...setting?.secrets },
})

/** An empty secret, the default of each, is not stored. */
function toSetting({ isOn, config }: Stored, secretFields: string[]): Setting {
  const entries = Object.entries(config)
  const isSecret = (field: string) => secretFields.includes(field)
  return {
    value: { isOn, config: Object.fromEntries(entries.filter(([field]) => !isSecret(field))) },
    secrets: Object.fromEntries(
      entries.flatMap(([field, value]) => (isSecret(field) && value !== '' ? [[field, String(value)]] : [])),
    ),
  }
}

/** A change with the defaults of what it clears. */
const withDefaults = <Config extends object>({ defaults }: ServiceKind<Config>, change: Values): Values =>
  Object.fromEntries(Object.entries(change).map(([key, value]) => [key, value ?? defaults[key as keyof Config]]))

const toState = <Config extends object>(kind: ServiceKind<Config>, { isOn, isConfigured, config }: Stored) => ({
  isOn,
  isConfigured,
  config: merge({ ...kind.defaults } as Values, config) as Config,
})

/** Merges per key: trigger maps by their own rule, objects recursively, everything else by replacement. */
function merge(before: Values, change: Values): Values {
  const merged = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(change)) {
    const old = merged.get(key)
    if (key === 'triggers') merged.set(key, mergeTriggers((old ?? {}) as Triggers, value as Triggers))
    else merged.set(key, isObject(old) && isObject(value) ? merge(old, value) : value)
  }
  return Object.fromEntries(merged)
}
