/** The most bytes that one change reads of the comments of a thread, or repeats in what it writes. */
export const CHANGE_BYTES = 32 * 1024 * 1024
/** The same limit in words. */
export const CHANGE_BYTES_TEXT = '32 MiB'
