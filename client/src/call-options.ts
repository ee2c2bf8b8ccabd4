/** What one call may add. */
export interface CallOptions {
  /** Makes a repeated write safe: the same key with the same body within 24 hours replays the first answer. */
  idempotencyKey?: string
  signal?: AbortSignal
}
