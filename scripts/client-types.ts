import { successSchema } from '../server/src/platform/http/openapi.ts'
import type { NamedOperation } from '../server/src/platform/operation.ts'
import type { TSchema } from '../server/src/platform/schema.ts'

interface JsonSchema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  patternProperties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  description?: string
}

/** The source of client/src/api.ts: the operations' paths, levels and types, area by area. */
export function clientSource(operations: NamedOperation[]): string {
  const areas = [...new Set(operations.map(({ area }) => area))]
  const of = (area: string) => operations.filter((operation) => operation.area === area)
  return [
    '// Generated from the operations by `npm run generate`. Do not edit.',
    "import type { CallOptions } from './call-options.ts'",
    '',
    '/** Every operation by area and name: its path and the credentials it needs. */',
    'export const OPERATIONS = {',
    ...areas.flatMap((area) => [`  ${area}: {`, ...of(area).map(runtimeEntry), '  },']),
    '} as const',
    '',
    '/** The typed operations, area by area. Each answers the `result` of the reply and throws PrecedentError on failure. */',
    'export interface Api {',
    ...areas.flatMap((area) => [`  ${area}: {`, ...of(area).map(typeEntry), '  }']),
    '}',
    '',
  ].join('\n')
}

const runtimeEntry = ({ name, declaration: { path, auth } }: NamedOperation) =>
  `    ${name}: { path: '${path}', auth: '${auth}' },`

function typeEntry({ name, declaration }: NamedOperation): string {
  const success: JsonSchema = successSchema(declaration)
  const result = declaration.stream ? success : (success.properties?.result ?? {})
  const input = declaration.input as TSchema as JsonSchema
  const optional = (input.required ?? []).length === 0 ? '?' : ''
  return [
    `    /** ${declaration.summary}. POST ${declaration.path} */`,
    `    ${name}(data${optional}: ${typeOf(input, 2)}, options?: CallOptions): Promise<${typeOf(result, 2)}>`,
  ].join('\n')
}

function typeOf(schema: JsonSchema, depth: number): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map((branch) => typeOf(branch, depth)).join(' | ')
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
      return `Array<${typeOf(schema.items ?? {}, depth)}>`
    case 'object':
      return objectType(schema, depth)
    default:
      return 'unknown'
  }
}

function objectType(schema: JsonSchema, depth: number): string {
  const { properties = {}, patternProperties, additionalProperties } = schema
  const [values] = Object.values(patternProperties ?? {})
  const rest = values ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  const names = Object.keys(properties)
  if (names.length === 0) return rest ? `Record<string, ${typeOf(rest, depth)}>` : 'Record<string, unknown>'
  const indent = '  '.repeat(depth + 1)
  const lines = names.map((name) => {
    const property = properties[name] ?? {}
    const mark = schema.required?.includes(name) ? '' : '?'
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
    const note = property.description ? `${indent}/** ${property.description.replaceAll('*/', '* /')} */\n` : ''
    return `${note}${indent}${key}${mark}: ${typeOf(property, depth + 1)}`
  })
  const open = additionalProperties === true || rest ? `\n${indent}[key: string]: unknown` : ''
  return `{\n${lines.join('\n')}${open}\n${'  '.repeat(depth)}}`
}
