import { restAfter } from '../../../platform/yield.ts'
import type { IndexedRow } from './read-judgments.ts'
import type { EncodedTexts } from './segment.ts'
import { stemsOf } from './tokenize.ts'
import { Vocabulary } from './vocabulary.ts'

/** Judgments as an index holds them, without their texts. Stems have numbers of their own: their places in `stems`. */
export interface Chunk {
  rows: ChunkRow[]
  stems: string[]
  review: EncodedTexts
  content: EncodedTexts
}

export type ChunkRow = Omit<IndexedRow, 'reasoning' | 'content'>

/** The most judgments of a chunk. */
export const CHUNK_SIZE = 8_192
/** The most stems of all texts of a chunk, each counted once a text: 16 MiB. */
const MAX_ENTRIES = 4 * 1024 * 1024
const TURN_MS = 10

/** Cuts the texts of judgments into stems. That takes about 0.1 ms a judgment; it rests in between. */
export class ChunkBuilder {
  readonly #rows: ChunkRow[] = []
  readonly #vocabulary = new Vocabulary()
  readonly #review: Text[] = []
  readonly #content: Text[] = []
  #entries = 0

  get count(): number {
    return this.#rows.length
  }

  get isFull(): boolean {
    return this.count >= CHUNK_SIZE || this.#entries >= MAX_ENTRIES
  }

  /** Adds judgments until it is full; returns how many it took. */
  async add(rows: IndexedRow[]): Promise<number> {
    let since = performance.now()
    const before = this.count
    for (const { reasoning, content, ...row } of rows) {
      if (this.isFull) break
      this.#rows.push(row)
      this.#review.push(this.#text(stemsOf(`${row.decision} ${reasoning}`)))
      this.#content.push(this.#text(stemsOf(content)))
      if (performance.now() - since < TURN_MS) continue
      await restAfter(since)
      since = performance.now()
    }
    return this.count - before
  }

  build(): Chunk {
    return {
      rows: this.#rows,
      stems: this.#vocabulary.stems(),
      review: encoded(this.#review),
      content: encoded(this.#content),
    }
  }

  #text(stems: string[]): Text {
    const entries = this.#vocabulary.entriesOf(stems)
    this.#entries += entries.length
    return { entries, length: stems.length, trigramNorm: this.#vocabulary.trigrams.norm(entries) }
  }
}

interface Text {
  entries: Uint32Array
  length: number
  trigramNorm: number
}

function encoded(texts: Text[]): EncodedTexts {
  const starts = new Uint32Array(texts.length + 1)
  for (const [i, { entries }] of texts.entries()) starts[i + 1] = (starts[i] as number) + entries.length
  const entries = new Uint32Array(starts.at(-1) as number)
  for (const [i, text] of texts.entries()) entries.set(text.entries, starts[i])
  return {
    starts,
    entries,
    lengths: Uint32Array.from(texts, ({ length }) => length),
    trigramNorms: Float32Array.from(texts, ({ trigramNorm }) => trigramNorm),
  }
}
