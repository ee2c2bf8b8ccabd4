import { type Field, flagOf } from './field.ts'
import type { Operation } from './operation.ts'

/** The arguments of `precedent call` that make a typical call of the operation. */
export function exampleArguments({ name, fields, example }: Operation): string[] {
  const flags = Object.entries(example).flatMap(([key, value]) => {
    const field = fields.find(({ path }) => path.length === 1 && path[0] === key)
    return field ? flagsOf(field, value) : []
  })
  return [name, ...flags]
}

/** The same as one line for a shell. */
export const exampleCommand = (operation: Operation): string =>
  ['precedent call', ...exampleArguments(operation).map(quoted)].join(' ')

function flagsOf(field: Field, value: unknown): string[] {
  const flag = flagOf(field)
  if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`]
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.flatMap((each) => {
    const text = typeof each === 'object' ? JSON.stringify(each) : String(each)
    // What begins with a dash would be read as another flag.
    return text.startsWith('-') ? [`--${flag}=${text}`] : [`--${flag}`, text]
  })
}

/** The argument as a POSIX shell takes it. */
const quoted = (argument: string): string =>
  /^[\w@./:-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`
