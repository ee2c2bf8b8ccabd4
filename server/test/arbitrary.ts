import fc from 'fast-check'

/** The part of JSON Schema that the operations' inputs use. */
interface JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  format?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  patternProperties?: Record<string, JsonSchema>
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

const IDS = ['acme', 'doc-1', 'folder-1', 'ada', 'group-1', 'note-1', '__proto__', 'constructor', '🜁'.repeat(256), '-1']

/** Values that satisfy a schema. Ids come from a small pool, so that calls meet what earlier calls wrote. */
export function valid(schema: object, ids: string[] = IDS, all = false): fc.Arbitrary<unknown> {
  const s = schema as JsonSchema
  if (s.const !== undefined) return fc.constant(s.const)
  if (s.enum) return fc.constantFrom(...s.enum)
  if (s.anyOf) return fc.oneof(...s.anyOf.map((branch) => valid(branch, ids, all)))
  switch (s.type) {
    case 'string':
      return validString(s, ids)
    case 'integer':
      return fc.integer({
        min: Math.max(s.minimum ?? -1000, -(2 ** 31)),
        max: Math.min(s.maximum ?? 100_000, 2 ** 31 - 1),
      })
    case 'number':
      return fc.double({ min: s.minimum ?? -1000, max: s.maximum ?? 1000, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valid(s.items ?? {}, ids, all), {
        minLength: Math.max(s.minItems ?? 0, all ? 1 : 0),
        maxLength: Math.min(s.maxItems ?? 3, 3),
      })
    case 'object':
      return validObject(s, ids, all)
    default:
      return fc.jsonValue({ maxDepth: 2 }).filter((value) => isStorable(JSON.stringify(value)))
  }
}

function validString(s: JsonSchema, ids: string[]): fc.Arbitrary<string> {
  if (s.format === 'email-address') return fc.constantFrom('ada@example.com', 'Bob@Example.org')
  if (s.format === 'http-url') return fc.constantFrom('https://example.com/hook', 'http://example.org')
  if (s.format === 'identifier') return fc.constantFrom(...ids)
  const text = fc.string({ unit: 'grapheme', minLength: s.minLength ?? 0, maxLength: Math.min(s.maxLength ?? 20, 20) })
  return fc
    .oneof(
      fc.constantFrom(...ids).filter((id) => [...id].length <= (s.maxLength ?? 256)),
      text,
    )
    .filter(isStorable)
}

function validObject(s: JsonSchema, ids: string[], all: boolean): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], patternProperties } = s
  const [values] = Object.values(patternProperties ?? {})
  if (values) return fc.dictionary(fc.constantFrom(...ids, 'default'), valid(values, ids, all), { maxKeys: 2 })
  const record = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, valid(property, ids, all)]),
  )
  return fc.record(record, { requiredKeys: all ? Object.keys(record) : required })
}

const isStorable = (text: string) =>
  text.isWellFormed() && !text.includes('\u0000') && !text.includes('\\u0000') && !/\\ud[89a-f]/i.test(text)

/** Values that a hostile or careless caller sends in place of a valid one. */
export const HOSTILE: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  -(2 ** 63),
  '',
  ' ',
  'x'.repeat(300),
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u0007',
  "'; drop table workspace; --",
  '{{constructor}}',
  '__proto__',
  [],
  [null],
  [[]],
  {},
  { __proto__: null, constructor: { prototype: {} } },
  JSON.parse('{"__proto__":{"polluted":true},"a\\u0000":1}'),
  nested(99),
  nested(200),
  'http://169.254.169.254/latest/meta-data',
]

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { value }
  return value
}

/** A valid value with one randomly chosen part replaced by a hostile one. */
export function spoiled(schema: object): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid(schema), fc.constantFrom(...HOSTILE), fc.nat())
    .map(([value, poison, at]) => replaceOne(value, poison, at))
}

function replaceOne(value: unknown, poison: unknown, at: number): unknown {
  if (typeof value !== 'object' || value === null) return poison
  const keys = Object.keys(value)
  const key = keys[at % (keys.length || 1)]
  if (key === undefined) return poison
  const rest = Math.floor(at / keys.length)
  const child = (value as Record<string, unknown>)[key]
  const replaced = rest % 3 === 0 ? poison : replaceOne(child, poison, rest)
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === key ? replaced : item))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, name === key ? replaced : item]))
}

/** Valid values with all properties; no array is empty. */
export const complete = (schema: object): fc.Arbitrary<unknown> => valid(schema, IDS, true)

/** Each value that is neither an object nor an array, with the path to it. */
export const placesOf = (value: unknown, place: string[] = []): { place: string[]; value: unknown }[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, part]) => placesOf(part, [...place, name]))
    : [{ place, value }]

/** A copy of `value` with another value at `path`. */
export function replaceAt(value: unknown, [name, ...rest]: string[], by: unknown): unknown {
  if (name === undefined) return by
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === name ? replaceAt(item, rest, by) : item))
  const record = value as Record<string, unknown>
  return { ...record, [name]: replaceAt(record[name], rest, by) }
}
