import type { TValidationError } from 'typebox/error'
import type { Issue } from '../../errors.ts'
import { isObject } from '../../json-value.ts'
import { MAX_COMPARED, nearMiss } from '../../near-miss.ts'
import type { TSchema } from '../../schema.ts'
import { fieldPath, type InputSchema } from '../input-schema.ts'
import { ruleOf } from './broken-rule.ts'

/** An error names at most so many fields. */
export const MAX_ISSUES = 50

/** What is wrong with a value by its schema: a sentence for each field. `sent` is the value with its unknown fields. */
export function issuesOf(errors: TValidationError[], schema: TSchema, sent: unknown): Issue[] {
  // Of each path the first rule of each schema that is broken: of several branches of a union each has its own.
  const rules = new Map<string, Map<string, string>>()
  for (const error of errors.filter((one) => isSpecific(one) && !isOfOtherBranch(one, errors))) {
    for (const { path, message } of issuesOfError(error)) {
      const known = rules.get(path)
      if (known) known.set(error.schemaPath, known.get(error.schemaPath) ?? message)
      else if (rules.size < MAX_ISSUES) rules.set(path, new Map([[error.schemaPath, message]]))
    }
  }
  return Array.from(rules, ([path, messages]) => {
    return withHint(schema, sent, { path, message: [...new Set(messages.values())].join(', or ') })
  })
}

// A union reports an error per branch and one as a whole. The branches are more specific, and null is never what the
// caller meant.
const isSpecific = (error: TValidationError) =>
  error.keyword !== 'anyOf' && !(error.keyword === 'type' && error.params.type === 'null')

// Where something inside a value is wrong, a branch of the union admits its type. What others say of the type is no
// help.
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
