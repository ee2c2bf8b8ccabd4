import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { UsageError } from '../failure.ts'
import { isObject } from '../is-object.ts'
import { type Field, flagOf, type JsonType } from './field.ts'

type Given = string | boolean | string[] | undefined

/** The `data` of a call: the document of `--data`, and the flags over it. `@file` stands for a file's content. */
export async function dataOf(fields: Field[], values: Record<string, Given>): Promise<Record<string, unknown>> {
  const data = await documentOf(values.data)
  for (const field of fields) {
    const given = values[flagOf(field)]
    if (given !== undefined) put(data, field.path, await fieldValue(field, given))
  }
  return data
}

async function documentOf(given: Given): Promise<Record<string, unknown>> {
  if (typeof given !== 'string') return {}
  const value = json(given === '-' ? await text(process.stdin) : await content(given), '--data')
  if (isObject(value)) return { ...value }
  throw new UsageError('--data takes a JSON object.')
}

function put(data: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    data[name] = value
    return
  }
  const inner = data[name]
  const object = isObject(inner) ? { ...inner } : {}
  put(object, rest, value)
  data[name] = object
}

async function fieldValue(field: Field, given: Given): Promise<unknown> {
  if (typeof given === 'boolean') return given
  const all = [given ?? []].flat()
  const texts = await Promise.all(all.map(content))
  const [first = '', ...others] = texts
  const isOne = others.length === 0 && (!field.types.includes('array') || /^\s*(\[|null\s*$)/.test(first))
  if (isOne) return parsed(first, field.types, field)
  return texts.map((each) => parsed(each, field.items ?? ['object'], field))
}

/** The value that a text stands for, where its types leave a choice: JSON first, then the text itself. */
function parsed(given: string, types: JsonType[], field: Field): unknown {
  const flag = `--${flagOf(field)}`
  if (isJsonOf(given, types)) return JSON.parse(given)
  if (types.includes('string')) return given
  // What is meant as an object or a list may be broken JSON.
  if (types.includes('object') || types.includes('array')) json(given, flag)
  throw new UsageError(`${flag} takes ${types.map((type) => NAMES[type]).join(' or ')}.`)
}

function isJsonOf(given: string, types: JsonType[]): boolean {
  try {
    const value: unknown = JSON.parse(given)
    return types.some((type) => type !== 'string' && isOf(value, type))
  } catch {
    return false
  }
}

const NAMES: Record<JsonType, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  object: 'a JSON object',
  array: 'a JSON list',
}

function isOf(value: unknown, type: JsonType): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return isObject(value)
  return typeof value === type
}

function json(given: string, flag: string): unknown {
  try {
    return JSON.parse(given)
  } catch {
    throw new UsageError(`${flag} is no JSON: ${given.length > 60 ? `${given.slice(0, 60)}…` : given}`)
  }
}

/** `@path` is the content of the file, without the mark that some editors put before it; `@@text` is `@text`. */
async function content(given: string): Promise<string> {
  if (given.startsWith('@@')) return given.slice(1)
  if (!given.startsWith('@')) return given
  try {
    return (await readFile(given.slice(1), 'utf8')).replace(/^\ufeff/, '')
  } catch (error) {
    throw new UsageError(`${given.slice(1)} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}
