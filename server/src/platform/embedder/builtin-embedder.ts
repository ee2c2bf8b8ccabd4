import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { mapWithRests } from '../turns/yield.ts'
import type { Embedder } from './embedder.ts'
import { type PieceModel, pieceModel } from './word-pieces.ts'
import { readWordPieces } from './word-pieces-file.ts'

/** The folder of the models: beside the built program, or in the source tree. */
const FOLDER = new URL(import.meta.url.endsWith('.ts') ? '../../../models/' : './models/', import.meta.url)
/** Counts up when the same file gives other vectors. */
const VERSION = 1

/**
 * The embedding that comes with the service: vectors of English word pieces, added up. It needs neither network nor
 * packages, and computes in this thread: some 0.1 ms for a judgment. A text in another language gets a vector of zeros.
 */
export async function builtinEmbedder(): Promise<Embedder> {
  const { vectorOf, digest } = await builtinVectors()
  return {
    model: `builtin-${VERSION}:${digest}`,
    isBuiltin: true,
    embed: (texts) => mapWithRests(texts, vectorOf),
    close: async () => {},
  }
}

type Vectors = PieceModel & { digest: string }

/** Its vectors, for texts that nothing is stored of. The process reads the file once, whatever `EMBEDDER` is. */
export const builtinVectors = vectorsIn(FOLDER)

/** Returns a function to the vectors of the file in a folder. */
export function vectorsIn(folder: URL): () => Promise<Vectors> {
  let vectors: Promise<Vectors> | undefined
  return () => {
    vectors ??= readVectors(folder).catch((error) => {
      // A failure, such as too many open files, is not kept.
      vectors = undefined
      throw error
    })
    return vectors
  }
}

async function readVectors(folder: URL): Promise<Vectors> {
  const file = await readFile(new URL('word-pieces.bin', folder))
  const digest = createHash('sha256').update(file).digest('hex').slice(0, 12)
  return { ...pieceModel(readWordPieces(file)), digest }
}
