/** A request to the thread that holds the model. */
export interface OnnxRequest {
  id: number
  texts: string[]
  isSearch: boolean
}

/** A message of the thread: the model is loaded or cannot be, or the response to a request. */
export type OnnxMessage =
  | { model: string }
  | { fault: string }
  | { id: number; vectors: Float32Array[] }
  | { id: number; failure: string }
