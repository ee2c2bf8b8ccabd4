import Compile from 'typebox/compile'
import type { TValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { type Issue, invalidArgument } from '../errors.ts'
import type { Static, TSchema } from '../schema.ts'

const MAX_DEPTH = 100
const MAX_ISSUES = 50
// A field may break several rules, and each branch of a union reports errors of its own.
const MAX_ERRORS = 10 * MAX_ISSUES

Settings.Set({ maxErrors: MAX_ERRORS })

/**
 * A compiled input schema. It returns the value without optional nulls, or throws INVALID_ARGUMENT with every issue.
 */
export type Validate = (data: unknown) => Record<string, unknown>

/** Compiles a schema once into a check of whether a value conforms to it. */
export function compileGuard<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  const validator = Compile(schema)
  return (value): value is Static<Schema> => validator.Check(value)
}

/** Compiles an input schema once, at start. */
export function compileInput(schema: TSchema): Validate {
  const validator = Compile(schema)
  return (data) => {
    if (validator.Check(data)) return data as Record<string, unknown>
    const value = dropNulls(schema, data)
    if (validator.Check(value)) return value as Record<string, unknown>
    throw invalidArgument(issuesOf(validator.Errors(value)))
  }
}

/** Gives the configured limit to every array of an input schema that has no limit of its own. */
export function withListLimit<Schema extends TSchema>(schema: Schema, maxItems: number): Schema {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    value?.type === 'array' && value.items && value.maxItems === undefined ? { ...value, maxItems } : value,
  )
}

/**
 * Refuses what JSON allows but no store can keep: U+0000, lone surrogates (RFC 8259 §8.2), numbers beyond the double
 * range, nesting deeper than 100. This applies to keys too.
 */
export function checkStorable(value: unknown, path = '', depth = 0): void {
  if (typeof value === 'string') checkString(value, path)
  if (typeof value === 'number' && !Number.isFinite(value)) fail(path, 'must be a number within the double range')
  if (typeof value !== 'object' || value === null) return
  if (depth >= MAX_DEPTH) fail(path.slice(0, 80), `must not nest deeper than ${MAX_DEPTH} levels`)
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) checkStorable(value[i], `${path}[${i}]`, depth + 1)
    return
  }
  for (const [key, item] of Object.entries(value)) {
    checkString(key, path)
    checkStorable(item, path ? `${path}.${key}` : key, depth + 1)
  }
}

function checkString(value: string, path: string): void {
  if (value.includes('\u0000')) fail(path, 'must not contain U+0000')
  if (!value.isWellFormed()) fail(path, 'must not contain a lone surrogate')
}

function fail(path: string, message: string): never {
  throw invalidArgument([{ path, message }])
}

interface ObjectLike {
  type?: string
  properties?: Record<string, TSchema>
  required?: string[]
  items?: TSchema
  anyOf?: TSchema[]
}

/** For an optional field `null` means absent, unless its schema admits null. Copies only what changes. */
function dropNulls(schema: TSchema, value: unknown): unknown {
  const { type, properties, required = [], items } = schema as ObjectLike
  if (type === 'array' && items && Array.isArray(value)) return value.map((item) => dropNulls(items, item))
  if (type !== 'object' || !properties || !isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined
      if (!property) return [[key, item]]
      if (item === null && !required.includes(key) && !admitsNull(property)) return []
      return [[key, dropNulls(property, item)]]
    }),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function admitsNull(schema: TSchema): boolean {
  const { type, anyOf } = schema as ObjectLike
  if (anyOf) return anyOf.some(admitsNull)
  return type === 'null' || Object.keys(schema).every((key) => key === 'description')
}

function issuesOf(errors: TValidationError[]): Issue[] {
  const rules = new Map<string, Set<string>>()
  for (const { path, message } of errors.filter(isSpecific).flatMap(issuesOfError)) {
    const known = rules.get(path)
    if (known) known.add(message)
    else if (rules.size < MAX_ISSUES) rules.set(path, new Set([message]))
  }
  return [...rules].map(([path, messages]) => ({ path, message: [...messages].join(', or ') }))
}

// A union reports an error per branch and one as a whole. The branches are more specific, and null is never what the
// caller meant.
const isSpecific = (error: TValidationError) =>
  error.keyword !== 'anyOf' && !(error.keyword === 'type' && error.params.type === 'null')

function issuesOfError(error: TValidationError): Issue[] {
  const path = readablePath(error.instancePath)
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => ({ path: join(path, name), message: 'is required' }))
  }
  return [{ path, message: ruleOf(error) }]
}

function ruleOf(error: TValidationError): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${article([error.params.type].flat().join(' or '))}`
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`
    case 'minLength':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} characters`
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`
    case 'minItems':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} items`
    case 'maxItems':
      return `must have at most ${error.params.limit} items`
    case 'maxProperties':
      return `must have at most ${error.params.limit} keys`
    case 'pattern':
      return `must match ${error.params.pattern}`
    case 'minimum':
      return `must be at least ${error.params.limit}`
    case 'exclusiveMinimum':
      return `must be more than ${error.params.limit}`
    case 'maximum':
      return `must be at most ${error.params.limit}`
    case 'format':
      return FORMAT_RULES[error.params.format] ?? `must be a valid ${error.params.format}`
    default:
      return `breaks the rule ${error.keyword}`
  }
}

const FORMAT_RULES: Record<string, string> = {
  identifier: 'must not contain control characters',
  'email-address': 'must be an email address',
  'http-url': 'must be a valid http(s) URL, without control characters and not on port 0',
}

const article = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)

const join = (path: string, name: string) => (path ? `${path}.${name}` : name)

/** `/users/0/email` becomes `users[0].email`. */
function readablePath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '')
}
