import { hash } from 'node:crypto'
import { isObject } from '../../platform/json-value.ts'
import { startOf } from '../../platform/template.ts'

const SECRET = /token|secret|password|key$|keys$|signature|authorization|headers|base64/i
const MAX_TEXT = 200
const MAX_ITEMS = 20
const MAX_FIELDS = 100
const MAX_DEPTH = 6
/** Of what was sent, and of each state, as JSON. */
const MAX_BYTES = 16 * 1024

type Values = Record<string, unknown>

/** What was sent, as it may stand in the audit: without secrets, and cut to what a reader can survey. */
export function redacted(input: unknown): Values {
  if (!isObject(input)) return {}
  const { apiKey, ...rest } = input
  // At the top `apiKey` names what the call is about; further down it is the key of another service.
  return bounded({ ...(redact(rest, 0) as object), ...(typeof apiKey === 'string' && { apiKey }) })
}

/** What differs between two states, without secrets: fields that are the same are left out, at any depth. */
export function changed(before: object | null, after: object | null): { before: Values | null; after: Values | null } {
  const difference = before && after ? differing({ ...before }, { ...after }) : [before, after]
  const [old, fresh] = difference.map((state) => state && bounded(redact(state, 0) as Values))
  return { before: old ?? null, after: fresh ?? null }
}

function differing(before: Values, after: Values): [Values, Values] {
  const [old, fresh]: [Values, Values] = [{}, {}]
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[field], after[field]]
    if (JSON.stringify(was) === JSON.stringify(is)) continue
    const [oldPart, freshPart] = isObject(was) && isObject(is) ? differing(was, is) : [was, is]
    if (oldPart !== undefined) old[field] = oldPart
    if (freshPart !== undefined) fresh[field] = freshPart
  }
  return [old, fresh]
}

/** Values that are too large as a whole are named only. */
function bounded(values: Values): Values {
  if (Buffer.byteLength(JSON.stringify(values)) <= MAX_BYTES) return values
  return Object.fromEntries(Object.keys(values).map((name) => [name, '… too large to record']))
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '…'
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1))
    return value.length > MAX_ITEMS ? [...items, `… ${value.length - MAX_ITEMS} more`] : items
  }
  const entries = Object.entries(value)
  const shown = entries
    .slice(0, MAX_FIELDS)
    .map(([name, item]) => [cut(name), SECRET.test(name) ? '[secret]' : redact(item, depth + 1)])
  return Object.fromEntries(
    entries.length > MAX_FIELDS ? [...shown, ['…', `${entries.length - MAX_FIELDS} more`]] : shown,
  )
}

/** Of a URL the origin: its path and query may be a secret. A mark tells whether two URLs are the same. */
function redactText(text: string): string {
  const [, scheme, host, rest] = /^(https?:[/\\]{2})(?:[^/\\?#]*@)?([^/\\?#]*)(.*)$/is.exec(text) ?? []
  if (scheme === undefined) return cut(text)
  const isBare = rest === '' || rest === '/'
  return cut(
    `${scheme}${host}${isBare ? rest : `/… (${hash('sha256', `${scheme}${host}${rest}`, 'hex').slice(0, 8)})`}`,
  )
}

const cut = (text: string) => (text.length > MAX_TEXT ? `${startOf(text, MAX_TEXT)}…` : text)
