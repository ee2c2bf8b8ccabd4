import type { Config } from '../config.ts'
import { builtinEmbedder } from './builtin-embedder.ts'
import type { Embedder } from './embedder.ts'
import { httpEmbedder } from './http-embedder.ts'
import { onnxEmbedder } from './onnx-embedder.ts'
import { prefixed } from './prefixed.ts'

/** Opens the configured model; undefined if only words are compared. Throws when a local model cannot be loaded. */
export async function openEmbedder(config: Config): Promise<Embedder | undefined> {
  switch (config.embedder) {
    case 'builtin':
      return builtinEmbedder()
    case 'openai':
      return withPrefixes(httpEmbedder(config), config)
    case 'onnx':
      return withPrefixes(await onnxEmbedder(config.embedderModel ?? ''), config)
    case 'lexical':
      return undefined
  }
}

const withPrefixes = (embedder: Embedder, { embedderQueryPrefix: query, embedderPassagePrefix: passage }: Config) =>
  prefixed(embedder, { query, passage })
