import Compile from 'typebox/compile'
import type { TValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { type Issue, invalidArgument } from '../errors.ts'
import { isObject } from '../json-value.ts'
import { MAX_COMPARED, nearMiss } from '../near-miss.ts'
import type { Static, TSchema } from '../schema.ts'
import { MAX_DEPTH } from './body/scan-json.ts'
import { ruleOf } from './errors/broken-rule.ts'
import { fieldPath, type InputSchema } from './input-schema.ts'

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

/** Compiles an input schema once, for its first value: to compile those of all operations would delay the start. */
export function compileInput(schemaOf: () => TSchema): Validate {
  let validate: Validate | undefined
  return (data) => {
    validate ??= compile(schemaOf())
    return validate(data)
  }
}

function compile(schema: TSchema): Validate {
  const validator = Compile(schema)
  const checkLists = compileListLimits(schema)
  return (data) => {
    checkLists?.(data, '')
    const known = withoutUnknown(schema, data)
    if (validator.Check(known)) return known as Record<string, unknown>
    const value = dropNulls(schema, known)
    if (validator.Check(value)) return value as Record<string, unknown>
    throw invalidArgument(issuesOf(validator.Errors(value)).map((issue) => withHint(schema, data, issue)))
  }
}

type ListCheck = (value: unknown, path: string) => void

/**
 * Compiles what a schema says of the lengths of lists and the keys of maps. The check throws at the first one that is too
 * large, before anything in it is looked at or copied. Undefined for a schema that says nothing.
 */
function compileListLimits(schema: TSchema): ListCheck | undefined {
  const { type, properties = {}, items, maxItems, maxProperties } = schema as InputSchema
  if (type === 'array') {
    const checkItem = items && compileListLimits(items)
    return (value, path) => {
      if (!Array.isArray(value)) return
      if (maxItems !== undefined && value.length > maxItems) fail(path, `must have at most ${maxItems} items`)
      if (checkItem) for (let i = 0; i < value.length; i++) checkItem(value[i], `${path}[${i}]`)
    }
  }
  const fields = Object.entries(properties).flatMap(([name, property]) => {
    const check = compileListLimits(property)
    return check ? [[name, check] as const] : []
  })
  // Of a union whose branches differ, another branch may admit the list.
  const nonNull = besidesNull(schema)
  if (nonNull) return compileListLimits(nonNull)
  if (fields.length === 0 && maxProperties === undefined) return undefined
  return (value, path) => {
    if (!isObject(value)) return
    if (maxProperties !== undefined && Object.keys(value).length > maxProperties)
      fail(path, `must have at most ${maxProperties} keys`)
    for (const [name, check] of fields) if (Object.hasOwn(value, name)) check(value[name], fieldPath(path, name))
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
export function checkStorable(value: unknown): void {
  if (!isStorable(value, 0)) reportUnstorable(value, '', 0)
}

/** Whether it can be stored. It makes no path: those of a large body would take longer than all else. */
function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth >= MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every((item) => isStorable(item, depth + 1))
  for (const key of Object.keys(value)) {
    if (!isStorableText(key) || !isStorable((value as Record<string, unknown>)[key], depth + 1)) return false
  }
  return true
}

const isStorableText = (value: string) => !value.includes('\u0000') && value.isWellFormed()

/** Throws for the first value that cannot be stored, naming its path. */
function reportUnstorable(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') reportText(value, path)
  if (typeof value === 'number' && !Number.isFinite(value)) fail(path, 'must be a number within the double range')
  if (typeof value !== 'object' || value === null) return
  if (depth >= MAX_DEPTH) fail(path, `must not nest deeper than ${MAX_DEPTH} levels`)
  for (const [key, item] of Object.entries(value)) {
    if (!Array.isArray(value)) reportText(key, path)
    const itemPath = Array.isArray(value) ? `${path}[${key}]` : fieldPath(path, key)
    // A path grows with every level; what is cut off it in the end need not be made.
    reportUnstorable(item, itemPath.slice(0, LONG_PATH), depth + 1)
  }
}

const LONG_PATH = 1_000

function reportText(value: string, path: string): void {
  if (value.includes('\u0000')) fail(path, 'must not contain U+0000')
  if (!value.isWellFormed()) fail(path, 'must not contain a lone surrogate')
}

function fail(path: string, message: string): never {
  throw invalidArgument([{ path, message }])
}

/**
 * The fields that a schema knows, where an object has more. A handler would copy tens of thousands of others, with all
 * that holds the process.
 */
function withoutUnknown({ type, properties, additionalProperties }: InputSchema, data: unknown): unknown {
  if (type !== 'object' || !properties || additionalProperties || !isObject(data)) return data
  const names = Object.keys(properties)
  if (Object.keys(data).length <= names.length) return data
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(data, name) ? [[name, data[name]]] : [])))
}

/** For an optional field `null` means absent, unless its schema admits null or its object refuses null. What does not change is not copied. */
function dropNulls(schema: TSchema, value: unknown): unknown {
  const nonNull = besidesNull(schema)
  if (nonNull) return dropNulls(nonNull, value)
  const { type, properties, required = [], items } = schema as InputSchema
  if (type === 'array' && items && Array.isArray(value)) return changed(value, (item) => dropNulls(items, item))
  if (type !== 'object' || !properties || !isObject(value)) return value
  const refusesNull = 'x-null' in schema
  let copy: Record<string, unknown> | undefined
  for (const [key, property] of Object.entries(properties)) {
    if (!Object.hasOwn(value, key)) continue
    const item = value[key]
    const isAbsent = item === null && !refusesNull && !required.includes(key) && !admitsNull(property)
    const after = isAbsent ? undefined : dropNulls(property, item)
    if (after === item) continue
    copy ??= { ...value }
    if (isAbsent) delete copy[key]
    else copy[key] = after
  }
  return copy ?? value
}

/** The list with each item changed; the same list where none changes. */
function changed(list: unknown[], change: (item: unknown) => unknown): unknown[] {
  let copy: unknown[] | undefined
  for (const [i, item] of list.entries()) {
    const after = change(item)
    if (after === item) continue
    copy ??= [...list]
    copy[i] = after
  }
  return copy ?? list
}

/** What a union admits besides null, where that is one schema. */
function besidesNull(schema: TSchema): TSchema | undefined {
  const [only, ...others] = ((schema as InputSchema).anyOf ?? []).filter((branch) => !admitsNull(branch))
  return others.length === 0 ? only : undefined
}

function admitsNull(schema: TSchema): boolean {
  const { type, anyOf } = schema as InputSchema
  if (anyOf) return anyOf.some(admitsNull)
  return type === 'null' || Object.keys(schema).every((key) => key === 'description')
}

function issuesOf(errors: TValidationError[]): Issue[] {
  // Of each path the first rule of each schema that is broken: of several branches of a union each has its own.
  const rules = new Map<string, Map<string, string>>()
  for (const error of errors.filter((one) => isSpecific(one) && !isOfOtherBranch(one, errors))) {
    for (const { path, message } of issuesOfError(error)) {
      const known = rules.get(path)
      if (known) known.set(error.schemaPath, known.get(error.schemaPath) ?? message)
      else if (rules.size < MAX_ISSUES) rules.set(path, new Map([[error.schemaPath, message]]))
    }
  }
  return [...rules].map(([path, messages]) => ({ path, message: [...new Set(messages.values())].join(', or ') }))
}

// A union reports an error per branch and one as a whole. The branches are more specific, and null is never what the
// caller meant.
const isSpecific = (error: TValidationError) =>
  error.keyword !== 'anyOf' && !(error.keyword === 'type' && error.params.type === 'null')

// Where something inside a value is wrong, a branch of the union admits its type. What others say of the type is no help.
const isOfOtherBranch = ({ keyword, instancePath }: TValidationError, errors: TValidationError[]) =>
  keyword === 'type' && errors.some((other) => other.instancePath.startsWith(`${instancePath}/`))

function issuesOfError(error: TValidationError): Issue[] {
  const path = readablePath(error.instancePath)
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => ({ path: fieldPath(path, name), message: REQUIRED }))
  }
  return [{ path, message: ruleOf(error) }]
}

/** To an error about a missing field adds an unknown one beside it that is spelt nearly like it. */
function withHint(schema: TSchema, value: unknown, { path, message }: Issue): Issue {
  if (message !== REQUIRED) return { path, message }
  const names = path.split(/[.[\]]+/).filter((part) => part !== '')
  const missing = names.pop() ?? ''
  let [at, of]: [unknown, TSchema | undefined] = [value, schema]
  for (const name of names) {
    at = (at as Record<string, unknown> | undefined)?.[name]
    const { properties, items } = (of ?? {}) as InputSchema
    of = /^\d+$/.test(name) ? items : properties?.[name]
  }
  const { properties } = (of ?? {}) as InputSchema
  if (!properties || !isObject(at)) return { path, message }
  const unknown = Object.keys(at)
    .slice(0, MAX_COMPARED)
    .filter((name) => !Object.hasOwn(properties, name))
  const found = nearMiss(missing, unknown)
  return { path, message: found === undefined ? message : `${message}; ${found} is not a field` }
}

const REQUIRED = 'is required'

/** `/users/0/email` becomes `users[0].email`. */
function readablePath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : fieldPath(path, part)), '')
}
