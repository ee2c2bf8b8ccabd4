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
