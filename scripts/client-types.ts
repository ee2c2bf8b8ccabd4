import { EVENT_TYPES } from '../server/src/areas/webhooks/endpoint/event-type.ts'
import { HTTP_STATUS } from '../server/src/platform/errors.ts'
import { mayReachAll } from '../server/src/platform/http/ignored-fields.ts'
import { successSchema } from '../server/src/platform/http/openapi.ts'
import type { NamedOperation } from '../server/src/platform/operation.ts'
import type { TSchema } from '../server/src/platform/schema.ts'

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  default?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  patternProperties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  description?: string
}

/** The source of client/src/api.ts: what the client must know of each operation, and its types, area by area. */
export function clientSource(operations: NamedOperation[]): string {
  const areas = [...new Set(operations.map(({ area }) => area))]
  const of = (area: string) => operations.filter((operation) => operation.area === area)
  return [
    '// Generated from the operations by `npm run generate`. Do not edit.',
    "import type { CallOptions } from './call-options.ts'",
    "import type { GroupingOperation, PagedOperation } from './pages.ts'",
    '',
    '/** The status of an error that the service returns. */',
    `export type ErrorStatus = ${Object.keys(HTTP_STATUS).map(quoted).join(' | ')}`,
    '',
    '/** The type of an event that an advanced webhook endpoint can receive. */',
    `export type EventType =\n${EVENT_TYPES.map((type) => `  | ${quoted(type)}`).join('\n')}`,
    '',
    '/** Every operation by area and name: what the client must know to call it. */',
    'export const OPERATIONS = {',
    ...areas.flatMap((area) => [`  ${area}: {`, ...of(area).map(runtimeEntry), '  },']),
    '} as const',
    '',
    '/**',
    ' * The typed operations, area by area. Each resolves with the `result` of the response. It rejects with a',
    ' * PrecedentError if the service refuses the call, and with a ConnectionError if no response arrives.',
    ' */',
    'export interface Api {',
    ...areas.flatMap((area) => [`  ${area}: {`, ...of(area).map(typeEntry), '  }']),
    '}',
    '',
  ].join('\n')
}

const quoted = (text: string) => `'${text}'`

function runtimeEntry({ name, declaration }: NamedOperation): string {
  const { path, auth, access, stream } = declaration
  const page = pageKey(declaration)
  const reachesAll = mayReachAll(path)
  const entry = {
    path,
    auth,
    access,
    ...(page && { page }),
    ...(stream && { stream: true }),
    ...(reachesAll && { reachesAll }),
  }
  const fields = Object.entries(entry).map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? quoted(value) : value}`,
  )
  return `    ${name}: { ${fields.join(', ')} },`
}

/** The key of `result`, or of its `data`, that holds the token of the next page. */
function pageKey({ page, input }: NamedOperation['declaration']): string | undefined {
  if (page !== undefined && !('pageToken' in input.properties)) throw new Error('An operation with pages takes none.')
  return page ?? ('iterator' in input.properties ? 'iterator' : undefined)
}

function typeEntry({ area, name, declaration }: NamedOperation): string {
  const success: JsonSchema = successSchema(declaration)
  const result = declaration.stream ? success : (success.properties?.result ?? {})
  const input = declaration.input as TSchema as JsonSchema
  const optional = (input.required ?? []).length === 0 ? '?' : ''
  const data = objectType(input, 2, OR_UNDEFINED, mayReachAll(declaration.path) ? '' : OR_UNDEFINED)
  const args = `data${optional}: ${data}, options?: CallOptions`
  const signature = input.properties?.groupByDocumentId
    ? `: GroupingOperation<${[data, ...branchesOf(result).map((each) => typeOf(each, 2))].join(', ')}>`
    : pageKey(declaration) === undefined
      ? `(${args}): Promise<${typeOf(result, 2)}>`
      : `: PagedOperation<[${args}], ${typeOf(result, 2)}>`
  const argument = Object.keys(declaration.example ?? {}).length === 0 ? '' : literalOf(declaration.example)
  const example = `@example\nawait client.${area}.${name}(${argument})`
  const texts = [`${declaration.summary}. POST ${declaration.path}`, declaration.description, example]
  return `${docComment(texts, '    ')}    ${name}${signature}`
}

/** The result with each of the forms that its data may have: a list, or a map by document. */
function branchesOf(result: JsonSchema): JsonSchema[] {
  const forms = result.properties?.data?.anyOf ?? []
  if (forms.length !== 2) throw new Error('An operation that groups returns a list or a map.')
  return forms.map((data) => ({ ...result, properties: { ...result.properties, data } }))
}

/** The texts as paragraphs of one comment. */
export function docComment(texts: (string | undefined)[], indent: string): string {
  const [first = '', ...others] = texts.filter((text) => text !== undefined).map((text) => text.replaceAll('*/', '* /'))
  if (others.length === 0) return `${indent}/** ${first} */\n`
  const lines = [first, ...others].join('\n\n').split('\n')
  return `${indent}/**\n${lines.map((line) => `${indent} *${line && ` ${line}`}\n`).join('')}${indent} */\n`
}

/** The longest line of an example, without its indentation. */
const LONGEST = 90

/** A JSON value as JavaScript: on one line if it fits, else each part on its own. */
function literalOf(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const within = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }']
  const parts = Array.isArray(value)
    ? value.map((item) => literalOf(item, within))
    : Object.entries(value).map(([key, item]) => `${key}: ${literalOf(item, within)}`)
  const line = `${open}${parts.join(', ')}${close}`
  if (line.length <= LONGEST && !line.includes('\n')) return line
  return `${open.trim()}\n${parts.map((part) => `${within}${part},\n`).join('')}${indent}${close.trim()}`
}

/** What a property holds, with its default. Of a list that says nothing itself: what each of its items is. */
function noteOf({ description, items, default: value }: JsonSchema): string | undefined {
  const note = description ?? items?.description
  return note === undefined || value === undefined ? note : `${note} Default: ${JSON.stringify(value)}.`
}

/**
 * What an optional field of an input may hold too: callers often hold a value that they may not have. A filter that
 * means all where it is left out may not.
 */
const OR_UNDEFINED = ' | undefined'

/**
 * The type of the values that fit a schema. A reference is the name of what it refers to. `absent` follows the type of
 * each optional field.
 */
export function typeOf(schema: JsonSchema, depth: number, absent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum?.join() === EVENT_TYPES.join()) return 'EventType'
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map((branch) => typeOf(branch, depth, absent)).join(' | ')
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return `Array<${typeOf(schema.items ?? {}, depth, absent)}>`
    case 'object':
      return objectType(schema, depth, absent, absent)
    default:
      return 'unknown'
  }
}

/** `absent` follows the types of optional fields below the object, `own` those of the object itself. */
function objectType(schema: JsonSchema, depth: number, absent: string, own: string): string {
  const { properties = {}, patternProperties, additionalProperties } = schema
  const [values] = Object.values(patternProperties ?? {})
  const rest = values ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  const names = Object.keys(properties)
  if (names.length === 0) return rest ? `Record<string, ${typeOf(rest, depth, absent)}>` : 'Record<string, unknown>'
  const indent = '  '.repeat(depth + 1)
  const lines = names.map((name) => {
    const property = properties[name] ?? {}
    const type = typeOf(property, depth + 1, absent)
    const [mark, or] = schema.required?.includes(name) ? ['', ''] : ['?', type === 'unknown' ? '' : own]
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
    const note = noteOf(property)
    return `${note ? docComment([note], indent) : ''}${indent}${key}${mark}: ${type}${or}`
  })
  const open = additionalProperties === true || rest ? `\n${indent}[key: string]: unknown` : ''
  return `{\n${lines.join('\n')}${open}\n${'  '.repeat(depth)}}`
}
