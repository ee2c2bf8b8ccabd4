import type { Issue } from './errors.ts'

/** The issue of an input that holds none of several fields, of which it needs one. */
export function oneGivenIssues<Field extends string>(
  input: { [F in Field]?: unknown },
  fields: readonly Field[],
): Issue[] {
  if (fields.some((field) => input[field] !== undefined)) return []
  const names = `${fields.slice(0, -1).join(', ')} or ${fields.at(-1)}`
  return [{ path: '', message: `at least one of ${names} must be provided` }]
}
