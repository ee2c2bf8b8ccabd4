interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  [keyword: string]: unknown
}

interface Body {
  content?: Record<string, { schema: Schema }>
}

interface Operation {
  security?: unknown
  requestBody?: Body
  responses: Record<string, Body>
}

/** What the comparison reads of an OpenAPI document. */
export interface Document {
  paths: Record<string, Record<string, Operation>>
}

/**
 * Every change of the document by which a program that was written for the old one may fail, as `path: what`. A request
 * may be allowed more, never less; a response may hold more, never less.
 */
export function breakingChanges(old: Document, current: Document): string[] {
  return Object.entries(old.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, before]) => {
      const after = current.paths[path]?.[method]
      return after ? ofOperation(before, after).map((change) => `${path}: ${change}`) : [`${path}: is gone`]
    }),
  )
}

function ofOperation(before: Operation, after: Operation): string[] {
  const isOther = JSON.stringify(before.security) !== JSON.stringify(after.security)
  return [
    ...(isOther ? ['takes other credentials'] : []),
    ...between(before.requestBody, after.requestBody, ofRequest),
    ...between(before.responses['200'], after.responses['200'], ofResponse),
  ]
}

type Compare = (before: Schema, after: Schema, at: string) => string[]

function between(before: Body | undefined, after: Body | undefined, compare: Compare): string[] {
  return Object.entries(before?.content ?? {}).flatMap(([type, { schema }]) => {
    const now = after?.content?.[type]?.schema
    return now ? compare(schema, now, '') : [`no longer has a body of ${type}`]
  })
}

const LOWER = ['minimum', 'minLength', 'minItems', 'minProperties']
const UPPER = ['maximum', 'maxLength', 'maxItems', 'maxProperties']
const RULES = ['format', 'pattern', 'uniqueItems', 'multipleOf']

/** What a request may no longer hold. */
function ofRequest(before: Schema, after: Schema, at: string): string[] {
  const [old, now] = [branches(before), branches(after)]
  if (old.length > 1 || now.length > 1) {
    const lost = (one: Schema) => [`the request's ${at} no longer takes ${typesOf(one) ?? 'anything'}`]
    return old.flatMap((one) => nearest(now.map((other) => ofRequest(one, other, at))) ?? lost(one))
  }
  const name = `the request's ${at || 'body'}`
  const lost = valuesOf(before)?.filter((value) => valuesOf(after) && !valuesOf(after)?.includes(value)) ?? []
  return [
    ...(isWithin(typesOf(before), typesOf(after)) ? [] : [`${name} takes another type`]),
    ...lost.map((value) => `${name} no longer takes ${value}`),
    ...(valuesOf(after) && !valuesOf(before) ? [`${name} takes certain values only`] : []),
    ...LOWER.filter((rule) => numberOf(after, rule, -Infinity) > numberOf(before, rule, -Infinity)).map(
      (rule) => `${name} has a higher ${rule}`,
    ),
    ...UPPER.filter((rule) => numberOf(after, rule, Infinity) < numberOf(before, rule, Infinity)).map(
      (rule) => `${name} has a lower ${rule}`,
    ),
    ...RULES.filter((rule) => after[rule] !== undefined && after[rule] !== before[rule]).map(
      (rule) => `${name} has another ${rule}`,
    ),
    ...(after.required ?? [])
      .filter((field) => !before.required?.includes(field))
      .map((field) => `the request's ${join(at, field)} is now required`),
    ...Object.entries(before.properties ?? {}).flatMap(([field, schema]) => {
      const next = after.properties?.[field]
      if (next) return ofRequest(schema, next, join(at, field))
      return isOpen(after) ? [] : [`the request's ${join(at, field)} is gone`]
    }),
    ...ofItems(before, after, at, ofRequest),
  ]
}

/** What a response no longer holds, or holds otherwise. */
function ofResponse(before: Schema, after: Schema, at: string): string[] {
  const [old, now] = [branches(before), branches(after)]
  if (old.length > 1 || now.length > 1) {
    const added = (one: Schema) => [`the response's ${at} may be ${typesOf(one) ?? 'anything'}`]
    return now.flatMap((one) => nearest(old.map((other) => ofResponse(other, one, at))) ?? added(one))
  }
  const name = `the response's ${at || 'body'}`
  return [
    ...(isWithin(typesOf(after), typesOf(before)) ? [] : [`${name} has another type`]),
    ...(before.required ?? [])
      .filter((field) => after.properties?.[field] && !after.required?.includes(field))
      .map((field) => `the response's ${join(at, field)} may be missing`),
    ...Object.entries(before.properties ?? {}).flatMap(([field, schema]) => {
      const next = after.properties?.[field]
      return next ? ofResponse(schema, next, join(at, field)) : [`the response's ${join(at, field)} is gone`]
    }),
    ...ofItems(before, after, at, ofResponse),
  ]
}

function ofItems(before: Schema, after: Schema, at: string, compare: Compare): string[] {
  const items = before.items && after.items ? compare(before.items, after.items, `${at}[]`) : []
  const [value] = Object.values(before.patternProperties ?? {})
  const [next] = Object.values(after.patternProperties ?? {})
  return value && next ? [...items, ...compare(value, next, join(at, '*'))] : items
}

/** Of the comparisons with several types, the one that found the least; undefined if none is of the same type. */
function nearest(comparisons: string[][]): string[] | undefined {
  const alike = comparisons.filter((changes) => !changes.some((change) => / (takes|has) another type$/.test(change)))
  return alike.sort((a, b) => a.length - b.length)[0]
}

const branches = (schema: Schema): Schema[] => schema.anyOf?.flatMap(branches) ?? [schema]

const join = (at: string, field: string) => (at === '' ? field : `${at}.${field}`)

/** The values that are allowed; undefined for all. */
const valuesOf = (schema: Schema) => schema.enum ?? ('const' in schema ? [schema.const] : undefined)

/** The types of a schema; undefined for any. A whole number is a number. */
function typesOf(schema: Schema): string[] | undefined {
  if (schema.type !== undefined) return [schema.type].flat()
  const values = valuesOf(schema)
  return values && [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
}

function isWithin(inner: string[] | undefined, outer: string[] | undefined): boolean {
  if (outer === undefined) return true
  if (inner === undefined) return false
  return inner.every((type) => outer.includes(type) || (type === 'integer' && outer.includes('number')))
}

function numberOf(schema: Schema, rule: string, otherwise: number): number {
  const value = schema[rule]
  return typeof value === 'number' ? value : otherwise
}

/** True if the schema takes fields that it does not name. */
const isOpen = ({ additionalProperties, patternProperties }: Schema) =>
  additionalProperties === true || patternProperties !== undefined
