import { SUBLINEAR } from '../words/sublinear.ts'
import { withRoom } from '../words/with-room.ts'
import { identity, invert, type Numbering, noPostings, type Postings } from './postings.ts'

const BITS = 13
/**
 * The most texts of a segment. Their accumulators fit the processor's first-level cache, and inverting them is short.
 */
export const SEGMENT_SIZE = 1 << BITS

/**
 * Up to `SEGMENT_SIZE` texts of a field in the order of their addition. The stems are stored by text and, except for
 * the latest texts, by stem.
 */
export class Segment {
  /** The number of its first text. */
  readonly from: number
  count = 0
  /** The entries (stem × 256 + frequency) of the text in place `p` are `entries[starts[p]..starts[p + 1]]`. */
  starts = new Uint32Array(1)
  entries = new Uint32Array(0)
  /** By place: the length in words, and the norms of the vectors of stems and of character 3-grams. */
  lengths = new Uint32Array(0)
  norms = new Float32Array(0)
  trigramNorms = new Float32Array(0)
  postings: Postings = noPostings()
  /** 1 / norm of the texts in `postings`; 0 if the norm is 0. */
  inverses = new Float32Array(0)
  /** By stem of `postings`: its impact; 0 until `impactAt` finds it. */
  #impacts = new Float32Array(0)

  constructor(from: number) {
    this.from = from
  }

  parts(): SegmentParts {
    const { from, count, starts, entries, lengths, norms, trigramNorms, postings, inverses } = this
    return { from, count, starts, entries, lengths, norms, trigramNorms, postings, inverses }
  }

  static of({ from, norms, inverses, ...parts }: SegmentParts): Segment {
    const made = Object.assign(new Segment(from), parts)
    made.adopt({ norms, inverses })
    return made
  }

  get isFull(): boolean {
    return this.count === SEGMENT_SIZE
  }

  get bytes(): number {
    const { starts, entries, postings } = this
    return starts.length * 20 + entries.length * 4 + postings.places.length * 3 + postings.stems.length * 13
  }

  add(
    entries: Uint32Array,
    { length, norm, trigramNorm }: { length: number; norm: number; trigramNorm: number },
  ): void {
    const place = this.count++
    const start = this.starts[place] as number
    this.starts = withRoom(this.starts, place + 2)
    this.starts[place + 1] = start + entries.length
    this.entries = withRoom(this.entries, start + entries.length)
    this.entries.set(entries, start)
    this.lengths = withRoom(this.lengths, place + 1)
    this.lengths[place] = length
    this.norms = withRoom(this.norms, place + 1)
    this.norms[place] = norm
    this.trigramNorms = withRoom(this.trigramNorms, place + 1)
    this.trigramNorms[place] = trigramNorm
  }

  /**
   * Adds texts that fit in, whose stems have other numbers here. `occurrences[n]` of them hold their stem `n`. They
   * have no norms until the segment is reweighed. Overwrites `entries` and `occurrences`.
   */
  addMany(
    { counts, entries, lengths, trigramNorms }: DecodedTexts,
    numbering: Numbering,
    occurrences: Uint32Array,
  ): void {
    const { count: first } = this
    const from = this.starts[first] as number
    this.count += counts.length
    this.starts = withRoom(this.starts, this.count + 1)
    for (let i = 0, start = from; i < counts.length; i++) {
      start += counts[i] as number
      this.starts[first + i + 1] = start
    }
    this.lengths = withRoom(this.lengths, this.count)
    this.lengths.set(lengths, first)
    this.norms = withRoom(this.norms, this.count)
    this.trigramNorms = withRoom(this.trigramNorms, this.count)
    this.trigramNorms.set(trigramNorms, first)
    if (first === 0) {
      this.postings = invert({ ...this, entries }, numbering, occurrences)
      this.adopt(weighedBy(this.postings, this.norms))
    }
    const { numbers } = numbering
    for (let e = 0; e < entries.length; e++) {
      const entry = entries[e] as number
      entries[e] = (numbers[entry >>> 8] as number) * 256 + (entry & 255)
    }
    if (first === 0) this.entries = entries
    else {
      this.entries = withRoom(this.entries, from + entries.length)
      this.entries.set(entries, from)
    }
  }

  /** Rebuilds the postings if many texts were added since, or if the segment has become full. */
  updatePostings(vocabulary: number): void {
    const gathered = this.count - this.postings.count
    if (gathered < READ_DIRECTLY && !(this.isFull && gathered)) return
    const used = this.starts[this.count] as number
    if (this.isFull && used < this.entries.length) this.entries = this.entries.slice(0, used)
    const occurrences = new Uint32Array(vocabulary)
    for (let e = 0; e < used; e++) {
      const stem = (this.entries[e] as number) >>> 8
      occurrences[stem] = (occurrences[stem] as number) + 1
    }
    this.postings = invert(this, identity(vocabulary), occurrences)
    this.adopt(weighedBy(this.postings, this.norms))
  }

  /** Computes the norms of its texts for an idf, to be passed to `adopt`. */
  weighed(idf: Float32Array): SegmentWeights {
    const norms = new Float32Array(this.norms.length)
    for (let place = 0; place < this.count; place++) {
      norms[place] = normOf(this.entries, this.starts[place] as number, this.starts[place + 1] as number, idf)
    }
    return weighedBy(this.postings, norms)
  }

  adopt({ norms, inverses }: SegmentWeights): void {
    this.norms = norms
    this.inverses = inverses
    this.#impacts = new Float32Array(this.postings.stems.length)
  }

  /**
   * The highest sublinear frequency / norm of a text that holds `postings.stems[at]`. It is found when a query first
   * needs it: most stems are in no query.
   */
  impactAt(at: number): number {
    const known = this.#impacts[at] as number
    if (known) return known
    const { starts, places, frequencies } = this.postings
    let most = 0
    for (let p = starts[at] as number; p < (starts[at + 1] as number); p++) {
      const sublinear = SUBLINEAR[frequencies[p] as number] as number
      most = Math.max(most, sublinear * (this.inverses[places[p] as number] as number))
    }
    this.#impacts[at] = most * UP
    return this.#impacts[at] as number
  }
}

/** What a segment holds. Impacts are found again when they are needed. */
export type SegmentParts = Pick<
  Segment,
  'from' | 'count' | 'starts' | 'entries' | 'lengths' | 'norms' | 'trigramNorms' | 'postings' | 'inverses'
>

/** Texts one after the other. */
interface Texts {
  /** By text: the number of its entries. */
  counts: Uint32Array
  /** In words. */
  lengths: Uint32Array
  /** Of the vectors of character 3-grams. */
  trigramNorms: Float32Array
}

/** With entries as `packEntries` packs them. */
export interface EncodedTexts extends Texts {
  packed: Uint8Array
}

interface DecodedTexts extends Texts {
  /** Stem × 256 + frequency. */
  entries: Uint32Array<ArrayBuffer>
}

/** Below this many texts, reading each costs less than building postings. */
const READ_DIRECTLY = 512

/** What the weights of the stems make of the texts of a segment. */
export type SegmentWeights = Pick<Segment, 'norms' | 'inverses'>

/** The number of the segment that a text is in. */
export const segmentOf = (text: number): number => text >>> BITS
/** The place of a text in its segment. */
export const placeOf = (text: number): number => text & (SEGMENT_SIZE - 1)

/** The norm of the vector of stems `entries[start..end]`. */
export function normOf(entries: Uint32Array, start: number, end: number, idf: Float32Array): number {
  let sum = 0
  for (let e = start; e < end; e++) {
    const entry = entries[e] as number
    sum += ((SUBLINEAR[entry & 255] as number) * (idf[entry >>> 8] as number)) ** 2
  }
  return Math.sqrt(sum)
}

function weighedBy(postings: Postings, norms: Float32Array<ArrayBuffer>): SegmentWeights {
  // A norm of 0 means that no stem of the text has a weight.
  const inverses = norms.map((norm) => (norm ? 1 / norm : 0)).subarray(0, postings.count)
  return { norms, inverses }
}

/** Covers the rounding of single precision. */
const UP = 1 + 1e-6
