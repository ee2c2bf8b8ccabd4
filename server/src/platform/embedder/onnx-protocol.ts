/** A request to the thread that holds the model. */
export interface OnnxOrder {
  id: number
  texts: string[]
  isSearch: boolean
}

/** A message of the thread: the model is loaded, a request succeeded, or one of them failed. */
export type OnnxReport = { model: string } | { fault: string } | OnnxAnswer

export type OnnxAnswer = { id: number; vectors: Float32Array[] } | { id: number; failure: string }
