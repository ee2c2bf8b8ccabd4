import { restAfter } from '../../../platform/turns/yield.ts'
import type { IndexedJudgment } from '../judgment/indexed-judgment.ts'
import { reviewText } from '../judgment/judgment-text.ts'
import { COLUMN_NAMES, type TableRows } from '../lexical/judgment-table.ts'
import { packEntries } from '../lexical/packed-entries.ts'
import { packUuids } from '../lexical/packed-uuids.ts'
import type { EncodedTexts } from '../lexical/segment.ts'
import type { ChunkTexts } from '../lexical/texts.ts'
import { indexedStems } from '../words/tokenize.ts'
import { Vocabulary } from '../words/vocabulary.ts'

/** Judgments as an index holds them. */
export interface Chunk extends ChunkTexts {
  rows: TableRows
}

type Row = Omit<IndexedJudgment, 'reasoning' | 'content'>

/** The most judgments of a chunk. */
export const CHUNK_SIZE = 8_192
/** The most stems of all texts of a chunk, each counted once a text: 16 MiB. */
const MAX_ENTRIES = 4 * 1024 * 1024
const TURN_MS = 10

/** Cuts the texts of judgments into stems. That takes about 0.1 ms a judgment; it rests in between. */
export class ChunkBuilder {
  readonly #rows: Row[] = []
  readonly #vocabulary = new Vocabulary()
  readonly #review: Text[] = []
  readonly #content: Text[] = []
  readonly #rest: (since: number) => Promise<void>
  #entries = 0

  /** `rest` gives other work its turn after some milliseconds that began at `since` (`performance.now()`). */
  constructor(rest = restAfter) {
    this.#rest = rest
  }

  get count(): number {
    return this.#rows.length
  }

  get isFull(): boolean {
    return this.count >= CHUNK_SIZE || this.#entries >= MAX_ENTRIES
  }

  /** Adds judgments until it is full; returns how many it took. */
  async add(rows: IndexedJudgment[]): Promise<number> {
    let since = performance.now()
    const before = this.count
    for (const { reasoning, content, ...row } of rows) {
      if (this.isFull) break
      this.#rows.push(row)
      this.#review.push(this.#text(indexedStems(reviewText({ decision: row.decision, reasoning }))))
      this.#content.push(this.#text(indexedStems(content)))
      if (performance.now() - since < TURN_MS) continue
      await this.#rest(since)
      since = performance.now()
    }
    return this.count - before
  }

  build(): Chunk {
    return {
      rows: tableRows(this.#rows),
      stems: this.#vocabulary.packed(),
      review: encoded(this.#review),
      content: encoded(this.#content),
    }
  }

  #text(stems: string[]): Text {
    const entries = this.#vocabulary.entriesOf(stems)
    this.#entries += entries.length
    return { entries, length: stems.length, trigramNorm: this.#vocabulary.trigrams.norm(entries, 'en') }
  }
}

interface Text {
  entries: Uint32Array
  length: number
  trigramNorm: number
}

function encoded(texts: Text[]): EncodedTexts {
  return {
    counts: Uint32Array.from(texts, ({ entries }) => entries.length),
    lengths: Uint32Array.from(texts, ({ length }) => length),
    trigramNorms: Float32Array.from(texts, ({ trigramNorm }) => trigramNorm),
    packed: packEntries(texts.map(({ entries }) => entries)),
  }
}

function tableRows(rows: Row[]): TableRows {
  const places = new Map<string | null, number>()
  const placeOf = (value: string | null) => {
    const place = places.get(value) ?? places.size
    places.set(value, place)
    return place
  }
  const columns = COLUMN_NAMES.map((name) => [
    name,
    Uint32Array.from(rows, (row) => placeOf(row[name === 'reviewer' ? 'reviewerId' : name])),
  ])
  return {
    keys: packUuids(rows.map(({ key }) => key)),
    createdAt: Float64Array.from(rows, ({ createdAt }) => createdAt),
    columns: Object.fromEntries(columns) as TableRows['columns'],
    values: [...places.keys()],
  }
}
