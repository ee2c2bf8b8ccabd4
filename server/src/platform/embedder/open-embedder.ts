import type { Config } from '../config.ts'
import type { Embedder } from './embedder.ts'
import { httpEmbedder } from './http-embedder.ts'
import { onnxEmbedder } from './onnx-embedder.ts'

/** Opens the configured model; undefined if only words are compared. Throws when a local model cannot be loaded. */
export async function openEmbedder(config: Config): Promise<Embedder | undefined> {
  if (config.embedder === 'openai') return httpEmbedder(config)
  if (config.embedder === 'onnx') return onnxEmbedder(config.embedderModel ?? '')
  return undefined
}
