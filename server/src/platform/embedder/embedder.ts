/** The most dimensions of a vector: more, neither pgvector nor the kernel that compares them in memory takes. */
export const MAX_DIMENSIONS = 16_000

/** How long a search waits for its vector. */
export const SEARCH_TIMEOUT_MS = 2_000

/** A model that turns texts into vectors. The vectors of texts with similar meaning point in similar directions. */
export interface Embedder {
  /** The name that its vectors are stored under. Vectors of different names are never compared. */
  readonly model: string
  /** It comes with the service. While its vectors are missing, words alone are compared, and no warning says so. */
  readonly isBuiltin?: true
  /**
   * Returns one vector of length 1 per text, all with the same number of dimensions. A vector of zeros says that the
   * model knows nothing of the text; it is then compared by words. Throws `EmbedderError`.
   */
  embed(texts: string[], options: EmbedOptions): Promise<Float32Array[]>
  /** Aborts the requests that are in flight. */
  close(): Promise<void>
}

export interface EmbedOptions {
  /**
   * `search`: a caller waits, so there is one attempt within `SEARCH_TIMEOUT_MS`. `background`: failures are retried.
   */
  purpose: 'search' | 'background'
  /** What the texts are to the model: by default a query for a search, else a passage to be found. */
  as?: 'query' | 'passage'
  /** The customer's own key for the embeddings service, instead of the operator's. */
  apiKey?: string | undefined
}

/**
 * `unavailable`: a later call may succeed. `refused-key`: the service refuses the key. `refused-input`: the model
 * refuses some or all of the texts.
 */
type EmbedderFailure = 'unavailable' | 'refused-key' | 'refused-input'

/** There are no vectors. The message holds no key and no text. */
export class EmbedderError extends Error {
  override name = 'EmbedderError'
  readonly failure: EmbedderFailure
  /** How long the service asks callers to wait. */
  readonly retryAfterMs: number
  constructor(failure: EmbedderFailure, message: string, retryAfterMs = 0) {
    super(message)
    this.failure = failure
    this.retryAfterMs = retryAfterMs
  }
}
