import { isPlain } from '../json-value.ts'
import { JsonValue } from './db.ts'

/** A value in the form sent to Postgres: text, bytes, or null. */
export type Parameter = string | Uint8Array | null

/**
 * Turns the values of a statement into parameters: arrays into Postgres arrays, plain objects and `json(…)` into JSON
 * text. Refuses `undefined` and values without a Postgres form with a TypeError that names their position.
 */
export function toParameters(values: readonly unknown[]): Parameter[] {
  return values.map((value, index) => {
    if (typeof value === 'string' || value instanceof Uint8Array) return value
    return toText(value, [index])
  })
}

/** Where a value stands: the index of the parameter, and those in its arrays. */
type Position = readonly number[]

function toText(value: unknown, position: Position): string | null {
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
  throw unsuitable(position, describe(value))
}

/** `{"a","b",1,null}`: every text is quoted, so that none can be taken for NULL, a delimiter or a nested array. */
function arrayLiteral(elements: unknown[], position: Position): string {
  let literal = '{'
  // Not `map`, which would skip holes.
  for (let index = 0; index < elements.length; index++) {
    if (index > 0) literal += ','
    const element = elements[index]
    if (typeof element === 'string') literal += quoted(element)
    else if (typeof element === 'number') literal += element
    else if (element === null) literal += 'null'
    // JSON holds no control characters, so JSON quotes it as Postgres does: natively, and several times as fast.
    else if (element instanceof JsonValue && element.text !== undefined) literal += JSON.stringify(element.text)
    else {
      const text = toText(element, [...position, index])
      literal += text === null || Array.isArray(element) ? text : quoted(text)
    }
  }
  return `${literal}}`
}

/** Most texts hold nothing to escape: looking for it takes less time than replacing nothing. */
function quoted(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`
  return `"${text.length < LONG ? text.replace(/["\\]/g, '\\$&') : escaped(text)}"`
}

const LONG = 1_000
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Of a text full of quotes, this takes a tenth of the time that replacing them takes. */
function escaped(text: string): string {
  const units = new Uint16Array(2 * text.length)
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === QUOTE || unit === BACKSLASH) units[length++] = BACKSLASH
    units[length++] = unit
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le')
}

function jsonText(text: string | undefined, position: Position): string {
  // JSON.stringify returns undefined for values without a JSON form.
  if (text === undefined) throw unsuitable(position, 'undefined as JSON')
  return text
}

function unsuitable([parameter = 0, ...inArrays]: Position, what: string): TypeError {
  const place = `$${parameter + 1}${inArrays.map((index) => `[${index + 1}]`).join('')}`
  return new TypeError(`The parameter ${place} of a statement cannot be ${what}.`)
}

function describe(value: unknown): string {
  if (value === undefined) return 'undefined'
  return typeof value === 'object' ? `a ${value?.constructor?.name ?? 'object'}` : `a ${typeof value}`
}
