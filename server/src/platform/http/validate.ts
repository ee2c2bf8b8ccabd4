import Compile from 'typebox/compile'
import { Settings } from 'typebox/system'
import { invalidArgument, invalidField } from '../errors.ts'
import { isObject } from '../json-value.ts'
import type { Static, TSchema } from '../schema.ts'
import { issuesOf, MAX_ISSUES } from './errors/issues.ts'
import { fieldPath, type InputSchema } from './input-schema.ts'

// A field may break several rules, and each branch of a union reports errors of its own.
const MAX_ERRORS = 10 * MAX_ISSUES

Settings.Set({ maxErrors: MAX_ERRORS })

/**
 * A compiled input schema. It returns the value without optional nulls, or throws INVALID_ARGUMENT with every issue.
 */
type Validate = (data: unknown) => Record<string, unknown>

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
    throw invalidArgument(issuesOf(validator.Errors(value), schema, data))
  }
}

type ListCheck = (value: unknown, path: string) => void

/**
 * Compiles what a schema says of the lengths of lists and the keys of maps. The check throws at the first one that is
 * too large, before anything in it is looked at or copied. Undefined for a schema that says nothing.
 */
function compileListLimits(schema: TSchema): ListCheck | undefined {
  // Of a union whose branches differ, another branch may admit the list.
  const nonNull = besidesNull(schema)
  if (nonNull) return compileListLimits(nonNull)
  const { type, properties = {}, items, maxItems, maxProperties } = schema as InputSchema
  if (type === 'array') {
    const checkItem = items && compileListLimits(items)
    return (value, path) => {
      if (!Array.isArray(value)) return
      if (maxItems !== undefined && value.length > maxItems)
        throw invalidField(path, `must have at most ${maxItems} items`)
      if (checkItem) for (let i = 0; i < value.length; i++) checkItem(value[i], `${path}[${i}]`)
    }
  }
  const fields = Object.entries(properties).flatMap(([name, property]) => {
    const check = compileListLimits(property)
    return check ? [[name, check] as const] : []
  })
  if (fields.length === 0 && maxProperties === undefined) return undefined
  return (value, path) => {
    if (!isObject(value)) return
    if (maxProperties !== undefined && Object.keys(value).length > maxProperties)
      throw invalidField(path, `must have at most ${maxProperties} keys`)
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
 * The fields that a schema knows, where an object has more. A handler would copy tens of thousands of others, with all
 * that holds the process.
 */
function withoutUnknown({ type, properties, additionalProperties }: InputSchema, data: unknown): unknown {
  if (type !== 'object' || !properties || additionalProperties || !isObject(data)) return data
  const names = Object.keys(properties)
  if (Object.keys(data).length <= names.length) return data
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(data, name) ? [[name, data[name]]] : [])))
}

/**
 * Leaves out optional fields that are null: null means absent, unless the schema of the field admits it or the object
 * refuses it. What does not change is not copied.
 */
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
  // A schema that asks nothing of a value admits any.
  return type === 'null' || Object.keys(schema).every((key) => key === 'description')
}
