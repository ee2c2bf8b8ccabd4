/** Every error status and the HTTP status of each. */
export const HTTP_STATUS = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  ABORTED: 409,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
} as const

/** A status that an error may have. */
export type ErrorStatus = keyof typeof HTTP_STATUS

/** One invalid field of a request: its path (`users[0].email`) and the rule that it breaks. */
export interface Issue {
  path: string
  message: string
}

interface ApiErrorOptions {
  cause?: unknown
  details?: Record<string, unknown>
  /** Set where HTTP is more precise than the status: 405, 413, 415. */
  httpStatus?: number
}

/**
 * An error that the caller sees. It is thrown where the fact is known and becomes a response once, in
 * `http/errors/send-error.ts`.
 */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: ErrorStatus
  readonly httpStatus: number
  readonly details: Record<string, unknown> | undefined

  constructor(status: ErrorStatus, message: string, options: ApiErrorOptions = {}) {
    super(cut(message, MAX_MESSAGE), { cause: options.cause })
    this.status = status
    this.httpStatus = options.httpStatus ?? HTTP_STATUS[status]
    this.details = options.details
  }

  /** The error body: `{ error: { status, message, code, details? } }`. */
  get body() {
    const { status, message, httpStatus: code, details } = this
    return { error: { status, message, code, ...(details && { details }) } }
  }
}

/**
 * The longest path that an error names, and the longest message, in characters. A message may name an id as it was
 * sent.
 */
const MAX_PATH = 200
const MAX_MESSAGE = 2_000

/** INVALID_ARGUMENT that lists every invalid field; the message names the first. Long paths are cut. */
export function invalidArgument(found: Issue[]): ApiError {
  const issues = found.map(({ path, message }) => ({ path: cutPath(path), message }))
  const [first] = issues
  const message = first ? [first.path, first.message].filter(Boolean).join(' ') : 'The request is not valid.'
  return new ApiError('INVALID_ARGUMENT', capitalised(message, first?.path ?? ''), { details: { issues } })
}

/** The path of a field as callers are told it. */
export const cutPath = (path: string): string => cut(path, MAX_PATH)

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text)

/** INVALID_ARGUMENT about one field. */
export const invalidField = (path: string, message: string): ApiError => invalidArgument([{ path, message }])

// A message that begins with a path keeps the path's spelling.
const capitalised = (message: string, path: string) =>
  path ? message : message.charAt(0).toUpperCase() + message.slice(1)

/** The issue of an input that holds none of several fields, of which it needs one. */
export function oneGivenIssues<Field extends string>(
  input: { [F in Field]?: unknown },
  fields: readonly Field[],
): Issue[] {
  if (fields.some((field) => input[field] !== undefined)) return []
  const names = `${fields.slice(0, -1).join(', ')} or ${fields.at(-1)}`
  return [{ path: '', message: `at least one of ${names} must be provided` }]
}
