import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/** The structured log of the process. */
export type Log = Logger

/**
 * Creates a log that writes JSON lines to standard error, from the configured level on. Standard output is for people.
 * Fields that hold secrets are masked.
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, destination?: DestinationStream): Log {
  // Not pino's `redact`: for that many paths it takes 53 µs a line, this takes 2.
  const options = { level: logLevel, base: null, formatters: { log: (entry: Fields) => withoutSecrets(entry) } }
  return pino(options, destination ?? pino.destination(2))
}

type Fields = Record<string, unknown>

// Matches the last word of a name: credential headers under any prefix, and every kind of token.
const SECRET_FIELD =
  /(authorization|cookie|password|secret|secretkeys|token|privatekey|databaseurl|smtpurl|embedderapikey)$/i
const MAX_DEPTH = 4

function withoutSecrets(fields: Fields, depth = 1): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (isSecret(name)) return [name, '[secret]']
      return [name, depth < MAX_DEPTH && isPlain(value) ? withoutSecrets(value, depth + 1) : value]
    }),
  )
}

const MOST_NAMES = 1_000
const known = new Map<string, boolean>()

/** Lines have few different names: what each is, is looked up. */
function isSecret(name: string): boolean {
  const before = known.get(name)
  if (before !== undefined) return before
  const secret = SECRET_FIELD.test(name)
  if (known.size < MOST_NAMES) known.set(name, secret)
  return secret
}

function isPlain(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
