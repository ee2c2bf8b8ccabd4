import { type Language, languageOf } from '../words/languages.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import { withRoom } from '../words/with-room.ts'
import { unpackEntries } from './packed-entries.ts'
import type { Numbering } from './postings.ts'
import type { RowFilter } from './row-filter.ts'
import {
  type EncodedTexts,
  normOf,
  placeOf,
  SEGMENT_SIZE,
  Segment,
  type SegmentParts,
  type SegmentWeights,
  segmentOf,
} from './segment.ts'
import { countSet } from './typed-column.ts'
import { type WeightParts, Weights } from './weights.ts'

/** The texts of one field, numbered in the order of their addition, and the weights of their stems. */
export class FieldTexts {
  readonly vocabulary: Vocabulary
  /** All but the last one are full. */
  readonly segments: Segment[] = []
  /** By stem: the number of texts that hold it, without removed ones. */
  occurrences = new Uint32Array(0)
  count = 0
  live = 0
  totalLength = 0
  #wordless = 0
  #changes = 0
  #weights = new Weights(0)
  /** The number of changes when the texts were counted for the weights. */
  #weighed = 0
  #next: { weights: Weights; weighed: SegmentWeights[]; changes: number } | undefined
  /** The language of the texts after so many changes. */
  #language: { language: Language; changes: number } = { language: 'en', changes: 0 }
  /** By text: the norm of its character 3-grams in a language; 0 until it is needed. */
  #norms: { language: Language; ofTexts: Float32Array } = { language: 'en', ofTexts: new Float32Array(0) }

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary
  }

  /** What it holds when no reweighing is under way, to be passed to another thread; it must not be used any more. */
  parts(): FieldParts {
    return {
      segments: this.segments.map((segment) => segment.parts()),
      occurrences: this.occurrences,
      totals: { count: this.count, live: this.live, totalLength: this.totalLength },
      wordless: this.#wordless,
      changes: this.#changes,
      weights: this.#weights.parts(),
      weighed: this.#weighed,
    }
  }

  static from(vocabulary: Vocabulary, parts: FieldParts): FieldTexts {
    const { segments, occurrences, totals, wordless, changes, weights, weighed } = parts
    const made = Object.assign(new FieldTexts(vocabulary), { occurrences, ...totals })
    made.segments.push(...segments.map((segment) => Segment.of(segment)))
    made.#wordless = wordless
    made.#changes = changes
    made.#weights = Weights.from(weights)
    made.#weighed = weighed
    return made
  }

  get bytes(): number {
    const arrays = (this.occurrences.length + this.#weights.idf.length + this.#norms.ofTexts.length) * 4
    return this.segments.reduce((sum, { bytes }) => sum + bytes, arrays)
  }

  /** The language of the texts, as far as their commonest words tell; of these texts, or nearly. */
  get language(): Language {
    const { live } = this
    if ((this.#changes - this.#language.changes) * LANGUAGE_HOLDS > live) {
      const shareOf = (stem: string) => (this.occurrences[this.vocabulary.find(stem) ?? -1] ?? 0) / live
      this.#language = { language: live ? languageOf(shareOf) : 'en', changes: this.#changes }
    }
    return this.#language.language
  }

  /**
   * By text: the norm of its character 3-grams in the language of the texts, for some of them. It is computed once,
   * because long texts take long; for English it is stored.
   */
  trigramNorms(texts: Uint32Array): Float32Array {
    const { language } = this
    if (this.#norms.language !== language) this.#norms = { language, ofTexts: new Float32Array(0) }
    this.#norms.ofTexts = withRoom(this.#norms.ofTexts, this.count)
    const { ofTexts } = this.#norms
    for (const text of texts) ofTexts[text] ||= this.vocabulary.trigrams.norm(this.entriesOf(text), language)
    return ofTexts
  }

  /** By stem. */
  get idf(): Float32Array {
    return this.#weights.idf
  }

  add(stems: string[]): void {
    const entries = this.vocabulary.entriesOf(stems)
    this.addEntries(entries, stems.length, this.vocabulary.trigrams.norm(entries, 'en'))
  }

  /** `entries`: stem × 256 + frequency, each stem once. */
  addEntries(entries: Uint32Array, length: number, trigramNorm: number): void {
    this.occurrences = withRoom(this.occurrences, this.vocabulary.size)
    for (const entry of entries) this.occurrences[entry >>> 8] = (this.occurrences[entry >>> 8] as number) + 1
    this.#weights.cover(this.vocabulary, this.occurrences)
    const segment = this.#openSegment()
    const norm = normOf(entries, 0, entries.length, this.idf)
    segment.add(entries, { length, norm, trigramNorm })
    if (segment.isFull) segment.updatePostings(this.vocabulary.size)
    this.count++
    this.live++
    this.totalLength += length
    if (!length) this.#wordless++
    this.#changes++
  }

  /**
   * Adds texts whose stems have other numbers here. They get their weights with the next reweighing, and the field is
   * stale until then.
   */
  addEncoded({ counts, lengths, trigramNorms, packed }: EncodedTexts, numbering: Numbering): void {
    const { numbers } = numbering
    this.occurrences = withRoom(this.occurrences, this.vocabulary.size)
    const cursor = { bytes: packed, at: 0 }
    for (let next = 0; next < counts.length; ) {
      const segment = this.#openSegment()
      const stop = Math.min(counts.length, next + SEGMENT_SIZE - segment.count)
      const some = counts.subarray(next, stop)
      const occurrences = zeros(numbers.length)
      const entries = unpackEntries(cursor, sumOf(some), occurrences)
      this.#count(numbers, occurrences)
      const texts = { lengths: lengths.subarray(next, stop), trigramNorms: trigramNorms.subarray(next, stop) }
      segment.addMany({ ...texts, counts: some, entries }, numbering, occurrences)
      if (segment.isFull) segment.updatePostings(this.vocabulary.size)
      next = stop
    }
    for (const length of lengths) if (!length) this.#wordless++
    this.totalLength += sumOf(lengths)
    this.count += counts.length
    this.live += counts.length
    this.#changes += counts.length
  }

  #count(numbers: Uint32Array, occurrences: Uint32Array): void {
    const all = this.occurrences
    for (let stem = 0; stem < numbers.length; stem++) {
      const number = numbers[stem] as number
      all[number] = (all[number] as number) + (occurrences[stem] as number)
    }
  }

  /** Adds a text of another field of the same vocabulary. */
  addFrom(other: FieldTexts, text: number): void {
    const { lengths, trigramNorms } = other.segmentOf(text)
    const place = placeOf(text)
    this.addEntries(other.entriesOf(text), lengths[place] as number, trigramNorms[place] as number)
  }

  segmentOf(text: number): Segment {
    return this.segments[segmentOf(text)] as Segment
  }

  entriesOf(text: number): Uint32Array {
    const { entries, starts } = this.segmentOf(text)
    return entries.subarray(starts[placeOf(text)], starts[placeOf(text) + 1])
  }

  /** The texts without words among those that pass the filter. */
  wordless({ flags: admitted, rows }: RowFilter): RowFilter {
    if (!this.#wordless) return { flags: new Uint8Array(0), count: 0 }
    if (rows) {
      const flags = new Uint8Array(this.count)
      const kept = rows.filter((text) => !this.segmentOf(text).lengths[placeOf(text)])
      for (const text of kept) flags[text] = 1
      return { flags, count: kept.length, rows: kept }
    }
    const flags = admitted.slice(0, this.count)
    for (const { from, count, lengths } of this.segments) {
      for (let place = 0; place < count; place++) if (lengths[place]) flags[from + place] = 0
    }
    return { flags, count: countSet(flags, this.count) }
  }

  /** Removes the text from the statistics. The caller must exclude it from searches. */
  markRemoved(text: number): void {
    for (const entry of this.entriesOf(text))
      this.occurrences[entry >>> 8] = (this.occurrences[entry >>> 8] as number) - 1
    this.live--
    this.totalLength -= this.segmentOf(text).lengths[placeOf(text)] as number
    this.#changes++
  }

  /** True if the weights are too old to search by. `reweigh` then takes long in a large field. */
  get isStale(): boolean {
    return this.#isOff(25)
  }

  /**
   * Call before a search. Does part of a due reweighing; all of it if there is one segment or the weights are stale.
   */
  reweigh(): void {
    this.#weights.cover(this.vocabulary, this.occurrences)
    this.segments.at(-1)?.updatePostings(this.vocabulary.size)
    while (this.reweighStep() && (this.isStale || this.segments.length === 1));
  }

  /**
   * Reweighs one segment if a fiftieth of the texts has changed since; false if nothing is left to do. Searches use the
   * previous weights until all segments are done.
   */
  reweighStep(): boolean {
    if (!this.#next && !this.#isOff(50)) return false
    this.#next ??= { weights: new Weights(this.live), weighed: [], changes: this.#changes }
    const { weights, weighed, changes } = this.#next
    weights.cover(this.vocabulary, this.occurrences)
    const segment = this.segments[weighed.length]
    if (segment) weighed.push(segment.weighed(weights.idf))
    // The last segment may still grow before the next call.
    if (weighed.length < this.segments.length) return true
    for (const [i, each] of weighed.entries()) this.segments[i]?.adopt(each)
    this.#weights = weights
    this.#weighed = changes
    this.#next = undefined
    return this.#isOff(50)
  }

  #isOff(share: number): boolean {
    const changes = this.#changes - this.#weighed
    return changes > 0 && changes * share >= this.live
  }

  #openSegment(): Segment {
    const last = this.segments.at(-1)
    if (last && !last.isFull) return last
    const segment = new Segment(this.count)
    this.segments.push(segment)
    return segment
  }

  idfOf(stem: number | undefined, prior: number): number {
    return this.#weights.idfOf(stem === undefined ? 0 : (this.occurrences[stem] ?? 0), prior)
  }
}

export interface FieldParts {
  segments: SegmentParts[]
  occurrences: Uint32Array<ArrayBuffer>
  totals: Pick<FieldTexts, 'count' | 'live' | 'totalLength'>
  wordless: number
  changes: number
  weights: WeightParts
  weighed: number
}

/** The language is told anew when as many texts as this part of all have come or gone: one in so many. */
const LANGUAGE_HOLDS = 8

let scratch = new Uint32Array(0)

/** Zeros, until the next call. */
function zeros(count: number): Uint32Array {
  scratch = withRoom(scratch, count)
  return scratch.subarray(0, count).fill(0)
}

const sumOf = (numbers: Uint32Array) => numbers.reduce((sum, number) => sum + number, 0)
