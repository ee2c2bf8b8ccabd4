import { ApiError } from '../../errors.ts'

/** The error for a body that is longer than `maxBytes`: INVALID_ARGUMENT (413). */
export const bodyTooLarge = (maxBytes: number, cause?: unknown) =>
  new ApiError('INVALID_ARGUMENT', `The body must have at most ${maxBytes} bytes.`, { httpStatus: 413, cause })
