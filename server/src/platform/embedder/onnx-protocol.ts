/** Texts to embed, sent to the thread that holds the model. */
export interface OnnxOrder {
  id: number
  texts: string[]
  isSearch: boolean
}

/** What the thread sends: that the model is loaded, the vectors of an order, or why there are none. */
export type OnnxReport = { model: string } | { fault: string } | OnnxAnswer

export type OnnxAnswer = { id: number; vectors: Float32Array[] } | { id: number; failure: string }
