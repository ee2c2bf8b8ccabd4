/** Whether a value of a caller's own data can be an id: what is none could not be filtered by or added again. */
export const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && Array.from(value).length <= 256 && !/\p{Cc}/u.test(value)

/** A value of a caller's own data where it is an object, else an empty one. */
export const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
