import { UsageError } from './failure.ts'

/** The fields that are not undefined. */
export const defined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }

/** The number that an option gives. Throws a UsageError if it is none within the limits. */
export function numberOf(option: string, given: string, form: RegExp, least: number, most: number): number {
  const value = Number(given)
  if (form.test(given) && value >= least && value <= most) return value
  throw new UsageError(`${option} takes a number from ${least} to ${most}, not ${given}.`)
}

/**
 * The length and the head of a chain that `--anchor` gives, in a form such as `<count>:<head>`. Throws a UsageError if
 * it is none.
 */
export function anchorOf(given: string, form: string): { count: number; head: string } {
  const [, count, head] = /^(\d+):([0-9a-f]*)$/.exec(given) ?? []
  if (count === undefined || head === undefined) throw new UsageError(`--anchor takes ${form}, as a check shows it.`)
  return { count: Number(count), head }
}
