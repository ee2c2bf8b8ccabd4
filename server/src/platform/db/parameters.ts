import { JsonValue } from './db.ts'

/** A value in the form sent to Postgres: text, bytes, or null. */
export type Parameter = string | Uint8Array | null

/**
 * Turns the values of a statement into parameters: arrays into Postgres arrays, plain objects and `json(…)` into JSON
 * text. Refuses `undefined` and values without a Postgres form with a TypeError that names their position.
 */
export function toParameters(values: readonly unknown[]): Parameter[] {
  return values.map((value, index) => {
    if (value instanceof Uint8Array) return value
    return toText(value, `$${index + 1}`)
  })
}

function toText(value: unknown, position: string): string | null {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'object':
      if (value === null) return null
      if (value instanceof Uint8Array)
        return `\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}`
      if (Array.isArray(value)) return arrayLiteral(value, position)
      if (value instanceof JsonValue) return jsonText(value.text, position)
      if (isPlain(value)) return jsonText(JSON.stringify(value), position)
  }
  throw new TypeError(`The parameter ${position} of a statement cannot be ${describe(value)}.`)
}

/** `{"a","b",1,null}`: every text is quoted, so that none can be taken for NULL, a delimiter or a nested array. */
function arrayLiteral(elements: unknown[], position: string): string {
  // Array.from, because map would skip holes.
  const texts = Array.from(elements, (element, index) => {
    if (typeof element === 'number') return String(element)
    const text = toText(element, `${position}[${index + 1}]`)
    if (text === null) return 'null'
    return Array.isArray(element) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
  })
  return `{${texts.join(',')}}`
}

function jsonText(text: string | undefined, position: string): string {
  // JSON.stringify returns undefined for values without a JSON form.
  if (text === undefined) throw new TypeError(`The parameter ${position} of a statement cannot be undefined as JSON.`)
  return text
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function describe(value: unknown): string {
  if (value === undefined) return 'undefined'
  return typeof value === 'object' ? `a ${value?.constructor?.name ?? 'object'}` : `a ${typeof value}`
}
