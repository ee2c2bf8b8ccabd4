import { createHash } from 'node:crypto'
import type { Embedder } from './embedder.ts'

interface Prefixes {
  query: string | undefined
  passage: string | undefined
}

/**
 * Writes what the model wants to read before each text. Vectors made with other prefixes are those of another model.
 */
export function prefixed(embedder: Embedder, { query = '', passage = '' }: Prefixes): Embedder {
  if (!query && !passage) return embedder
  // The vectors of queries are not stored.
  const made = createHash('sha256').update(passage).digest('hex').slice(0, 8)
  return {
    model: passage ? `${embedder.model}+${made}` : embedder.model,
    embed(texts, options) {
      const prefix = (options.as ?? (options.purpose === 'search' ? 'query' : 'passage')) === 'query' ? query : passage
      return embedder.embed(prefix ? texts.map((text) => `${prefix} ${text}`) : texts, options)
    },
    close: () => embedder.close(),
  }
}
