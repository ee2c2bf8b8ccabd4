import { isObject } from '../../../platform/json-value.ts'

/** Whether a custom value can be an id. Other values could neither be filtered by nor added again. */
export const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && Array.from(value).length <= 256 && !/\p{Cc}/u.test(value)

/** Returns a custom value if it is an object, else an empty object. */
export const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})
