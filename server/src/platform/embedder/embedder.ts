/** A model that turns texts into vectors, of which those of like meaning point the same way. */
export interface Embedder {
  /** What its vectors are stored under: vectors of different names are never compared. */
  readonly model: string
  /** One vector of length 1 per text, all of the same number of dimensions. Throws `EmbedderError`. */
  embed(texts: string[], options: EmbedOptions): Promise<Float32Array[]>
  /** Breaks what is still under way. */
  close(): Promise<void>
}

export interface EmbedOptions {
  /** `search`: somebody waits, so that there is one attempt of 2 s; `background`: failures are tried again. */
  purpose: 'search' | 'background'
  /** The customer's own key for the embeddings service, in place of the operator's. */
  apiKey?: string | undefined
}

/**
 * `unavailable`: it may answer later. `refused-key`: the service does not take the key. `refused-input`: the model takes
 * none or not all of the texts.
 */
export type EmbedderFailure = 'unavailable' | 'refused-key' | 'refused-input'

/** There are no vectors. Its message holds no key and no text. */
export class EmbedderError extends Error {
  override name = 'EmbedderError'
  readonly failure: EmbedderFailure
  /** How long the service asks to be left alone. */
  readonly retryAfterMs: number
  constructor(failure: EmbedderFailure, message: string, retryAfterMs = 0) {
    super(message)
    this.failure = failure
    this.retryAfterMs = retryAfterMs
  }
}
