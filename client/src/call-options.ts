/** How often and how long a call is tried. */
export interface RetryOptions {
  /** How many times a call is sent again after a failure that may pass; default 3, 0 never retries. */
  maxRetries?: number | undefined
  /** Milliseconds before the first retry. They double with each further one, up to 8 s. Default 500. */
  retryDelayMs?: number | undefined
  /** Milliseconds that one attempt may take, until its response has been read whole; default 60,000. */
  timeoutMs?: number | undefined
  /** Milliseconds that a call may take, all attempts and waits included; default 120,000. */
  totalTimeoutMs?: number | undefined
}

/** What one call may add or set differently from the client. */
export interface CallOptions extends RetryOptions {
  /**
   * Makes a repeated write safe: the same key with the same body within 24 hours replays the first response. Each
   * write that is not given one gets a random one, which its retries share.
   */
  idempotencyKey?: string | undefined
  /** Ends the call, between attempts too. The call then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}
