import { totalmem } from 'node:os'
import ipaddr from 'ipaddr.js'
import { type Variables, variables } from './environment.ts'
import { ApiError, type Issue } from './errors.ts'
import { compileInput } from './http/validate.ts'
import { parseSecretKeys } from './secret.ts'
import { readDomainFiles } from './settings/domain-files.ts'
import { misspeltVariables } from './settings/misspelt-variables.ts'
import { operatorFaults } from './settings/operators.ts'
import { readSecretFiles } from './settings/secret-files.ts'
import { DOMAIN } from './settings/setting-formats.ts'

/** The settings of the process: each variable in camel case (`DATA_DIR` is `dataDir`). */
export type Config = { readonly [Name in keyof Variables as CamelCase<Name>]: Variables[Name] } & {
  readonly outboundAllow: string[]
  /** Whether the settings say that only this machine reaches the service. */
  readonly isLocal: boolean
  readonly memoryIndexMb: number
  readonly memoryVectorsMb: number
  /** What looks wrong in the environment but is no fault: one sentence each, for the log. */
  readonly warnings: string[]
}

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Name extends string
    ? Lowercase<Name>
    : never

/** Lists every invalid variable of the environment at once, and those that look misspelt. It never shows a value. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  constructor(issues: Issue[], misspelt: string[]) {
    const faults = [...issues.map(({ path, message }) => `${path} ${message}`), ...misspelt]
    super(['The configuration is not valid:', ...faults].join('\n  '))
  }
}

/** Reads the environment once. Empty means unset; for a list it means no entries. */
export function readConfig(given: Record<string, string | undefined> = process.env): Config {
  const { env: withSecrets, issues: ofFiles, unread } = readSecretFiles(given, fileSettings)
  const { env, issues: ofDomains } = readDomainFiles(withSecrets, domainSettings)
  const values = Object.fromEntries(
    declarations.flatMap(([name, schema]) => {
      const value = parse(schema, env[name]) ?? schema.default
      return value === undefined ? [] : [[name, value]]
    }),
  ) as Variables
  const issues = [...ofFiles, ...ofDomains, ...faultsOf(values), ...faultsBetween(values, unread)]
  const misspelt = misspeltIn(env)
  if (issues.length > 0) throw new ConfigError(issues, misspelt)
  const { OUTBOUND_ALLOW = outboundAllowDefault(values) } = values
  const { MEMORY_INDEX_MB = quarterOfMemory(), MEMORY_VECTORS_MB = quarterOfMemory() } = values
  const derived = { IS_LOCAL: isLocal(values), WARNINGS: [...misspelt, ...idleSettings(values)] }
  return frozen({ ...values, OUTBOUND_ALLOW, MEMORY_INDEX_MB, MEMORY_VECTORS_MB, ...derived })
}

/** The page that documents every variable, generated from their declarations. */
export function configurationMarkdown(): string {
  const rows = declarations.map(([name, schema]) => {
    const cells = [`\`${name}\``, typeOf(schema), defaultText(schema), schema.description]
    return `| ${cells.join(' | ')} |`
  })
  return `# Configuration

The service reads these environment variables once, when it starts. If any is invalid, it names all that are and does not
start. If a variable looks like a misspelt one, it logs a warning. None is required for a first run. Lists are
comma-separated. An empty variable counts as unset; an empty list means none.

A secret marked ${FILE_MARK.trim()} may stand in a file instead, as containers mount it: \`<NAME>_FILE\` is then the path of the file.

| variable | type or unit | default | meaning |
| --- | --- | --- | --- |
${rows.join('\n')}
`
}

const FILE_MARK = ' †'

interface Declaration {
  description: string
  type?: 'integer' | 'string' | 'array'
  enum?: string[]
  items?: { format: string }
  default?: number | string | string[]
  unit?: string
  otherwise?: string
  /** True: `<NAME>_FILE` may name a file that holds it. */
  orFile?: true
}
const declarations = Object.entries(variables.properties as Record<string, unknown>) as [string, Declaration][]
const fileSettings = declarations.flatMap(([name, { orFile }]) => (orFile ? [name] : []))
const domainSettings = declarations.flatMap(([name, { items }]) => (items?.format === DOMAIN ? [name] : []))

const validate = compileInput(() => variables)

/** Text that cannot be parsed stays text; the validation then refuses it. */
function parse({ type }: Declaration, text: string | undefined): unknown {
  const trimmed = text?.trim()
  if (trimmed === undefined) return undefined
  if (type === 'array') return entries(trimmed)
  if (trimmed === '') return undefined
  return type === 'integer' && /^-?\d+$/.test(trimmed) ? Number(trimmed) : trimmed
}

const entries = (list: string) =>
  list
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter(Boolean)

function faultsOf(values: Variables): Issue[] {
  try {
    validate(values)
    return []
  } catch (error) {
    if (error instanceof ApiError) return error.details?.issues as Issue[]
    throw error
  }
}

/** A secret that is `unread` is given: the fault of its file is told already. */
function faultsBetween(values: Variables, unread: string[]): Issue[] {
  const { DATABASE_URL, SECRET_KEYS, ROLE, SMTP_URL, MAIL_FROM, EMBEDDER, EMBEDDER_URL, EMBEDDER_MODEL } = values
  const { CHAT_URL, CHAT_MODEL } = values
  const issues: Issue[] = []
  const fault = (path: string, message: string) => issues.push({ path, message })
  const lacks = (name: keyof Variables) => !values[name] && !unread.includes(name)
  if (DATABASE_URL && lacks('SECRET_KEYS')) fault('SECRET_KEYS', `is required with DATABASE_URL; ${HOW_TO_MAKE_A_KEY}`)
  if (SECRET_KEYS) {
    const wrong = secretKeysFault(SECRET_KEYS)
    if (wrong) fault('SECRET_KEYS', wrong)
  }
  if (lacks('DATABASE_URL') && (ROLE === 'api' || ROLE === 'worker')) {
    fault('ROLE', 'must be all without DATABASE_URL: an embedded database belongs to one process')
  }
  if (SMTP_URL && !MAIL_FROM) fault('MAIL_FROM', 'is required with SMTP_URL')
  if (EMBEDDER === 'openai' && !EMBEDDER_URL) fault('EMBEDDER_URL', 'is required with EMBEDDER=openai')
  if (EMBEDDER === 'openai' && !EMBEDDER_MODEL) fault('EMBEDDER_MODEL', 'is required with EMBEDDER=openai')
  if (CHAT_URL && !CHAT_MODEL) fault('CHAT_MODEL', 'is required with CHAT_URL')
  if (EMBEDDER === 'onnx' && !EMBEDDER_MODEL) fault('EMBEDDER_MODEL', 'is required with EMBEDDER=onnx')
  return [...issues, ...operatorFaults(values, unread)]
}

const misspeltIn = (env: Record<string, string | undefined>): string[] =>
  misspeltVariables(env, [...Object.keys(variables.properties), ...fileSettings.map((name) => `${name}_FILE`)]).map(
    ({ name, meant }) => `The variable ${name} is not a setting and has no effect. Is ${meant} meant?`,
  )

/** Says which settings have no effect, because the one that they belong to is not set. */
function idleSettings(values: Variables): string[] {
  const { EMBEDDER } = values
  const isService = EMBEDDER === 'openai'
  const hasModel = isService || EMBEDDER === 'onnx'
  const idle = (names: (keyof Variables)[], owner: string) =>
    names.flatMap((name) => (values[name] ? [`${name} has no effect without ${owner}.`] : []))
  return [
    ...BELONGINGS.flatMap(([name, owner]) => (values[owner] ? [] : idle([name], owner))),
    ...(isService ? [] : idle(['EMBEDDER_URL', 'EMBEDDER_API_KEY'], 'EMBEDDER=openai')),
    ...(hasModel
      ? []
      : idle(['EMBEDDER_MODEL', 'EMBEDDER_QUERY_PREFIX', 'EMBEDDER_PASSAGE_PREFIX'], 'EMBEDDER=openai or onnx')),
  ]
}

/** A setting, and the one that it belongs to. */
const BELONGINGS: readonly (readonly [keyof Variables, keyof Variables])[] = [
  ['DATABASE_DIRECT_URL', 'DATABASE_URL'],
  ['MAIL_FROM', 'SMTP_URL'],
  ['CHAT_MODEL', 'CHAT_URL'],
  ['CHAT_API_KEY', 'CHAT_URL'],
  ['OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
]

const HOW_TO_MAKE_A_KEY = 'make one with: echo "k1:$(openssl rand -base64 32)"'

function secretKeysFault(text: string): string | undefined {
  try {
    parseSecretKeys(text)
    return undefined
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return error instanceof SyntaxError ? `${message}; ${HOW_TO_MAKE_A_KEY}` : message
  }
}

// In a first run on one machine the service must reach a receiver beside it. A public service must not be made to call
// internal addresses.
const outboundAllowDefault = (values: Variables): string[] =>
  !values.DATABASE_URL && isLocal(values) ? ['127.0.0.0/8', '::1/128'] : []

// A proxy or a public address means callers from elsewhere, although the socket is on loopback.
const isLocal = ({ HOST, TRUST_PROXY, PUBLIC_URL }: Variables): boolean =>
  isLoopback(HOST) && TRUST_PROXY.length === 0 && (PUBLIC_URL === undefined || isLoopback(hostOf(PUBLIC_URL)))

const hostOf = (url: string) => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')

const isLoopback = (host: string) =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')

/** A quarter of the memory in MiB: of the container's where it has a limit. */
function quarterOfMemory(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.floor(bytes / 4 / 2 ** 20)
}

function frozen(values: object): Config {
  const named = Object.entries(values).map(([name, value]) => [camelCase(name), Object.freeze(value)])
  return Object.freeze(Object.fromEntries(named))
}

const camelCase = (name: string) =>
  name.toLowerCase().replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())

const typeOf = ({ enum: values, unit = '', orFile }: Declaration) =>
  values ? values.map((value) => `\`${value}\``).join(', ') : `${unit}${orFile ? FILE_MARK : ''}`

function defaultText({ default: value, otherwise }: Declaration): string {
  if (value === undefined) return otherwise ?? 'unset'
  const text = String(value)
  return text === '' ? 'none' : `\`${text}\``
}
