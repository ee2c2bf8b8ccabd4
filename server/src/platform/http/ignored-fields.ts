import { cutPath, type Issue } from '../errors.ts'
import { MAX_COMPARED, nearMiss } from '../near-miss.ts'
import type { TObject, TSchema } from '../schema.ts'
import { fieldPath, type InputSchema } from './input-schema.ts'

const MAX_BYTES = 2048

/** The paths that were found, as the header carries them. */
class Found {
  #bytes = 0
  readonly #paths: string[] = []

  get isFull(): boolean {
    return this.#bytes >= MAX_BYTES
  }

  /** Notes a path. What does not fit any more ends the search. */
  add(path: string): void {
    const encoded = encodeURIComponent(cutPath(path))
    this.#bytes += encoded.length + 1
    if (this.#bytes <= MAX_BYTES) this.#paths.push(encoded)
  }

  toString(): string {
    return this.#paths.join(',')
  }
}

/** Whether an omitted filter of the operation means all, so that a mistake in one reaches far more than was meant. */
export const mayReachAll = (path: string): boolean => /\/delete$|\/commentannotations\/update$/.test(path)

/** The fields of a request that are spelt nearly like an absent one, for operations that may reach all. */
export function misspeltFields({ properties }: TObject, data: object): Issue[] {
  const absent = Object.keys(properties).filter((name) => !Object.hasOwn(data, name))
  return Object.keys(data)
    .slice(0, MAX_COMPARED)
    .filter((name) => !Object.hasOwn(properties, name))
    .flatMap((name) => {
      const meant = nearMiss(name, absent)
      return meant === undefined ? [] : [{ path: name, message: `is not a field; is ${meant} meant?` }]
    })
}

type Search = (value: unknown, path: string, found: Found) => void

/**
 * Compiles a search for the fields that a request has beyond its schema and that are not kept as metadata, and for
 * those that are read-only. It returns their paths, cut as in errors, percent-encoded and comma-separated, in at most
 * 2 KiB; empty for none.
 */
export function compileIgnoredFields(schema: TSchema): (data: unknown) => string {
  const search = compile(schema)
  return (data) => {
    const found = new Found()
    search?.(data, '', found)
    return String(found)
  }
}

function compile(schema: TSchema): Search | undefined {
  const { type, items, anyOf } = schema as InputSchema
  if (type === 'array') {
    const each = items && compile(items)
    if (!each) return undefined
    return (value, path, found) => {
      if (!Array.isArray(value)) return
      for (let i = 0; i < value.length && !found.isFull; i++) each(value[i], `${path}[${i}]`, found)
    }
  }
  if (anyOf) return compileUnion(anyOf)
  return compileObject(schema as InputSchema)
}

/** Of a union, a field that one branch knows is not ignored. */
function compileUnion(branches: TSchema[]): Search | undefined {
  const objects = branches.filter((branch) => (branch as InputSchema).type === 'object') as InputSchema[]
  const lists = branches.filter((branch) => (branch as InputSchema).type === 'array')
  const [list] = lists
  if (list && lists.length === 1 && objects.length === 0) return compile(list)
  if (objects.length === 0 || objects.some(({ properties }) => !properties)) return undefined
  const properties = Object.assign({}, ...objects.map((branch) => branch.properties))
  return compileObject({ properties, additionalProperties: objects.some(isOpen) })
}

const isOpen = ({ additionalProperties }: InputSchema) => Boolean(additionalProperties)

function compileObject(schema: InputSchema): Search | undefined {
  const { properties } = schema
  if (!properties) return undefined
  const keepsOthers = isOpen(schema)
  const readOnly = new Set(schema['x-read-only'])
  const known = new Map(Object.entries(properties).map(([name, property]) => [name, compile(property)]))
  return (value, path, found) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    for (const name of Object.keys(value)) {
      if (found.isFull) return
      const search = known.get(name)
      if (search) search((value as Record<string, unknown>)[name], fieldPath(path, name), found)
      else if (!known.has(name) && (!keepsOthers || readOnly.has(name))) found.add(fieldPath(path, name))
    }
  }
}
