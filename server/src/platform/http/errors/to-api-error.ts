import {
  DatabaseReadOnly,
  DatabaseUnavailable,
  isCancelled,
  isFull,
  isRetryable,
  isServerTrouble,
  lacksRoomForCopy,
} from '../../db/db.ts'
import { ApiError } from '../../errors.ts'

/** Maps any error to an ApiError. An unknown error becomes INTERNAL; its cause goes to the log only. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DatabaseReadOnly) {
    return new ApiError('UNAVAILABLE', 'The database takes no writes at the moment. Try again.', { cause: error })
  }
  if (error instanceof DatabaseUnavailable) {
    return new ApiError('UNAVAILABLE', 'The database cannot be reached at the moment. Try again.', { cause: error })
  }
  if (isFull(error)) {
    return new ApiError('UNAVAILABLE', 'The disk of the database is full; nothing was changed.', { cause: error })
  }
  if (isServerTrouble(error)) {
    const message = 'The database lacks memory, or its disk fails; nothing was changed. Try again.'
    return new ApiError('UNAVAILABLE', message, { cause: error })
  }
  if (lacksRoomForCopy(error)) return new ApiError('UNAVAILABLE', error.message)
  if (isCancelled(error)) {
    return new ApiError('DEADLINE_EXCEEDED', 'The operation took too long and was cancelled.', { cause: error })
  }
  if (isRetryable(error)) {
    return new ApiError('ABORTED', 'Too many concurrent changes to the same records. Try again.', { cause: error })
  }
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  const [httpStatus, message] = REFUSED.get(code) ?? [statusCode ?? 500, 'The request is malformed.']
  if (httpStatus < 500) return new ApiError('INVALID_ARGUMENT', message, { httpStatus, cause: error })
  return new ApiError('INTERNAL', 'Something went wrong on this side. The request id helps to find it.', {
    cause: error,
  })
}

// By the error codes of Fastify and of the HTTP parser.
const REFUSED = new Map<string | undefined, [httpStatus: number, message: string]>([
  ['HPE_HEADER_OVERFLOW', [431, 'The headers are larger than this server accepts.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request did not arrive in time.']],
])
