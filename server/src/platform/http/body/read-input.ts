import type { Services } from '../../context.ts'
import { invalidArgument, invalidField } from '../../errors.ts'
import { isObject } from '../../json-value.ts'
import type { NamedOperation } from '../../operation.ts'
import { restAfter } from '../../turns/yield.ts'
import { compileIgnoredFields, mayReachAll, misspeltFields } from '../ignored-fields.ts'
import { compileInput, withListLimit } from '../validate.ts'
import { parseJson } from './parse-json.ts'
import { checkStorable } from './storable.ts'

/** What a call sends. */
export interface Sent {
  /** The body as sent; empty when there is none. */
  body: string
  /** What the body says, where it is parsed already: then this counts. */
  parsed?: { data: unknown }
  /** Set once the body is read: the fields that are ignored, as the header `x-ignored-fields` names them. */
  ignoredFields?: string
}

/**
 * Returns a function that reads the input of a call of an operation: it parses the body, refuses what cannot be stored,
 * validates and checks. It throws INVALID_ARGUMENT with what is wrong.
 */
export function inputReader({ declaration }: NamedOperation, { config }: Services): (sent: Sent) => Promise<unknown> {
  const validate = compileInput(() => withListLimit(declaration.input, config.listLimit))
  const ignoredFieldsOf = compileIgnoredFields(declaration.input)
  const refusesMisspelt = mayReachAll(declaration.path)
  return async (sent) => {
    const pause = pauses(sent.body)
    const parsed = sent.parsed ?? (await parseBody(sent.body, declaration.requiresData === true))
    if (pause) await pause()
    const data = storableData(parsed)
    if (pause) await pause()
    const input = validate(data)
    if (pause) await pause()
    sent.ignoredFields = ignoredFieldsOf(data)
    if (pause) await pause()
    const misspelt = refusesMisspelt ? misspeltFields(declaration.input, data) : []
    const issues = [...misspelt, ...(declaration.check?.(input as never) ?? [])]
    if (pause) await pause()
    if (issues.length > 0) throw invalidArgument(issues)
    return input
  }
}

/** A body of more characters gives other requests turns between the steps of its reading. */
const LARGE_BODY = 64 * 1024

/** A pause to be made after each step of reading a large body; undefined for others. */
export function pauses(body: { length: number }): (() => Promise<void>) | undefined {
  if (body.length <= LARGE_BODY) return undefined
  let since = performance.now()
  return async () => {
    await restAfter(since)
    since = performance.now()
  }
}

/** Parses a body; throws INVALID_ARGUMENT unless it is an object with the key `data`. */
async function parseBody(body: string, required: boolean): Promise<Record<string, unknown>> {
  if (body === '') {
    if (required) throw invalidField('data', 'is required')
    return { data: {} }
  }
  const parsed = await readJson(body)
  if (!isObject(parsed)) throw invalidField('', 'the body must be an object with the key data')
  if (!Object.hasOwn(parsed, 'data')) throw invalidField('data', 'is required')
  return parsed
}

/** Returns `data`, an object that can be stored; throws INVALID_ARGUMENT for anything else, beside it too. */
function storableData({ data, ...others }: { data?: unknown }): object {
  if (!isObject(data)) throw invalidField('data', 'must be an object')
  checkStorable(data)
  checkStorable(others)
  return data
}

/** What a body says; throws INVALID_ARGUMENT unless it is JSON. */
export async function readJson(body: string): Promise<unknown> {
  try {
    return await parseJson(body)
  } catch {
    throw invalidField('', 'the body is not valid JSON')
  }
}
