import { ConnectionError, PrecedentError } from '../../../client/src/errors.ts'
import { t } from '../strings.ts'

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const NUMBER = new Intl.NumberFormat('en-GB')

/** Joins a number and its unit, or the parts of a date: a narrow column does not part them. */
const NO_BREAK = '\u00a0'

/** A time of the API (epoch milliseconds) in the reader's time zone. */
export const timeText = (epoch: number | null | undefined) =>
  epoch ? TIME.format(epoch).replace(/ (?=.*,)/g, NO_BREAK) : t.none
export const numberText = (value: number) => NUMBER.format(value)
const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** A length of time in its largest unit: `5 min`, `40 ms`. */
export function durationText(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? ['ms', 1]
  return `${Math.round(ms / length)}${NO_BREAK}${unit}`
}

/** The same in milliseconds, however many: `1,234 ms`. */
export const millisecondsText = (ms: number) => `${NUMBER.format(Math.round(ms))}${NO_BREAK}ms`

/** An amount of memory: `12 MiB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** power
  return `${NUMBER.format(amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount))}${NO_BREAK}${BYTES[power]}`
}

const BYTES = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

export const percentText = (share: number) => `${Math.round(share * 100)}${NO_BREAK}%`
/** The same of a share that may be unknown. */
export const shareText = (share: number | null) => (share === null ? t.none : percentText(share))
/** A sentence that the service made of names, without the characters by which a name turns around what follows it. */
export const sentenceText = (sentence: string) => sentence.replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
export const jsonText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** What people call a field of the API that a path leads to; undefined where they see no such field. */
type LabelOf = (path: string) => string | undefined

/** Says what was refused and why, each invalid field included, by the name that people know it by. */
export function errorText(error: unknown, labelOf: LabelOf = () => undefined): string {
  if (error instanceof ConnectionError) return t.failing.unreachable
  if (!(error instanceof PrecedentError)) return error instanceof Error ? error.message : String(error)
  const issues = (error.details?.issues ?? []).map(({ path, message }) => ({
    path,
    message,
    name: nameOf(path, labelOf(path)),
  }))
  // The message names the first field; with more than one, all are listed.
  const [first] = issues
  const said =
    first && error.message.startsWith(first.path) ? first.name + error.message.slice(first.path.length) : error.message
  if (issues.length < 2) return said
  return [said, ...issues.map(({ name, message }) => `${name}: ${message}`)].join('\n')
}

/** A label in quotation marks; of one line of several, with its number. */
function nameOf(path: string, label: string | undefined): string {
  if (label === undefined) return path
  const [, index] = /\[(\d+)\]$/.exec(path) ?? []
  return index === undefined ? `“${label}”` : `“${label}” (${t.failing.numbered(Number(index) + 1)})`
}

/**
 * Whether an error may be gone the next time: the server is away, busy, or fails. What it refuses, it refuses again.
 */
export const isPassing = (error: unknown) =>
  error instanceof ConnectionError ||
  (error instanceof PrecedentError && (error.httpStatus === 429 || error.httpStatus >= 500))

/** What somebody can do about an error. */
export function adviceFor(error: unknown): string {
  if (error instanceof ConnectionError) return t.failing.unreachableNext
  // A TypeError is a mistake of the console. Other errors are texts of it.
  if (!(error instanceof PrecedentError)) return error instanceof TypeError ? t.failing.broken : t.failing.refused
  if (!error.isOfService) return t.failing.foreign
  if (error.httpStatus === 401) return t.failing.signedOut
  if (error.httpStatus === 403) return t.failing.forbidden
  if (error.httpStatus === 429) return t.failing.busy
  return error.httpStatus >= 500 ? t.failing.server : t.failing.refused
}
