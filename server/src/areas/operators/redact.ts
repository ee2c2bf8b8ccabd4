const SECRET = /token|secret|password|key$|keys$|signature|authorization|headers/i
const MAX_TEXT = 200
const MAX_ITEMS = 20
const MAX_DEPTH = 6

/** What was sent, as it may stand in the audit: without secrets, and cut to what a reader can survey. */
export function redacted(input: unknown): Record<string, unknown> {
  if (typeof input !== 'object' || input === null) return {}
  const { apiKey, ...rest } = input as Record<string, unknown>
  // At the top `apiKey` names what the call is about; further down it is the key of another service.
  return { ...(redact(rest, 0) as object), ...(typeof apiKey === 'string' && { apiKey }) }
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '…'
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1))
    return value.length > MAX_ITEMS ? [...items, `… ${value.length - MAX_ITEMS} more`] : items
  }
  const entries = Object.entries(value).slice(0, 5 * MAX_ITEMS)
  return Object.fromEntries(
    entries.map(([name, item]) => [name, SECRET.test(name) ? '[secret]' : redact(item, depth + 1)]),
  )
}

/** Of a URL only the part that holds no credentials. */
function redactText(text: string): string {
  const [, address, rest] = /^(https?:\/\/)(?:[^/?#]*@)?([^?#]*)/.exec(text) ?? []
  const shown = address === undefined ? text : `${address}${rest}`
  return shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT).toWellFormed()}…` : shown
}
