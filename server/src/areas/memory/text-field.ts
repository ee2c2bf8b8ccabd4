import { withRoom } from './column.ts'
import { invert, SEGMENT_SIZE, type Segment } from './segment.ts'
import type { Vocabulary } from './vocabulary.ts'

/** 1 + ln f: how much a stem weighs that occurs f times. */
export const SUBLINEAR = Float64Array.from({ length: 256 }, (_, f) => (f ? 1 + Math.log(f) : 0))

/** The texts that stand for what is common at large while an index is young. */
const BACKGROUND_TEXTS = 300
/** Below this many texts since the last inversion, reading them one by one costs less than inverting them. */
const UNSEALED = 1024

/** The texts of one field, numbered as they come: their stems by text and, in segments, the texts by stem. */
export class TextField {
  readonly vocabulary: Vocabulary
  readonly segments: Segment[] = []
  /** The entries (stem × 256 + frequency) of text `t` are `entries[starts[t]..starts[t + 1]]`. */
  starts = new Uint32Array(1)
  entries = new Uint32Array(0)
  lengths = new Uint32Array(0)
  norms = new Float32Array(0)
  trigramNorms = new Float32Array(0)
  /** In how many texts that still count each stem occurs. */
  occurrences = new Uint32Array(0)
  idf = new Float32Array(0)
  count = 0
  live = 0
  totalLength = 0
  #weighedTexts = 0
  #weighedStems = 0
  #changes = 0

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary
  }

  get bytes(): number {
    const segments = this.segments.reduce((sum, { texts, stems }) => sum + texts.length * 3 + stems.length * 8, 0)
    return segments + (this.starts.length * 5 + this.entries.length + this.idf.length * 2) * 4
  }

  add(stems: string[]): void {
    const frequencies = new Map<number, number>()
    for (const stem of stems) {
      const id = this.vocabulary.idOf(stem)
      frequencies.set(id, (frequencies.get(id) ?? 0) + 1)
    }
    this.addEntries(
      Uint32Array.from(frequencies, ([id, f]) => id * 256 + Math.min(f, 255)),
      stems.length,
    )
  }

  addEntries(entries: Uint32Array, length: number): void {
    const text = this.count++
    const start = this.starts[text] as number
    this.starts = withRoom(this.starts, text + 2)
    this.entries = withRoom(this.entries, start + entries.length)
    this.entries.set(entries, start)
    this.starts[text + 1] = start + entries.length
    this.lengths = withRoom(this.lengths, text + 1)
    this.lengths[text] = length
    this.#countIn(entries)
    this.#measure(text, entries)
    this.live++
    this.totalLength += length
    this.#changes++
  }

  entriesOf(text: number): Uint32Array {
    return this.entries.subarray(this.starts[text], this.starts[text + 1])
  }

  /** The text no longer counts in the statistics; that it is not found either is up to the caller. */
  discount(text: number): void {
    for (const entry of this.entriesOf(text))
      this.occurrences[entry >>> 8] = (this.occurrences[entry >>> 8] as number) - 1
    this.live--
    this.totalLength -= this.lengths[text] as number
    this.#changes++
  }

  /**
   * Before a search: weighs the stems that other fields have brought into the vocabulary, all anew when a fiftieth of the
   * texts has changed, and inverts what has gathered.
   */
  settle(): void {
    this.#weighNewStems()
    if (this.#changes && this.#changes * 50 >= this.live) this.#weigh()
    this.#seal()
  }

  idfOf(stem: number | undefined, background: number): number {
    const occurrences = stem === undefined ? 0 : (this.occurrences[stem] ?? 0)
    return Math.log((this.#weighedTexts + BACKGROUND_TEXTS + 1) / (occurrences + BACKGROUND_TEXTS * background + 1))
  }

  #countIn(entries: Uint32Array): void {
    this.occurrences = withRoom(this.occurrences, this.vocabulary.size)
    for (const entry of entries) this.occurrences[entry >>> 8] = (this.occurrences[entry >>> 8] as number) + 1
    this.#weighNewStems()
  }

  #weighNewStems(): void {
    const stems = this.vocabulary.size
    this.idf = withRoom(this.idf, stems)
    for (; this.#weighedStems < stems; this.#weighedStems++) this.#weighStem(this.#weighedStems)
  }

  #measure(text: number, entries: Uint32Array): void {
    this.norms = withRoom(this.norms, text + 1)
    this.norms[text] = this.#norm(text)
    this.trigramNorms = withRoom(this.trigramNorms, text + 1)
    const stems = Array.from(entries, (entry) => entry >>> 8)
    const weight = (i: number) => SUBLINEAR[(entries[i] as number) & 255] as number
    this.trigramNorms[text] = this.vocabulary.trigramNorm(stems, weight)
  }

  #norm(text: number): number {
    let sum = 0
    for (let e = this.starts[text] as number; e < (this.starts[text + 1] as number); e++) {
      const entry = this.entries[e] as number
      sum += ((SUBLINEAR[entry & 255] as number) * (this.idf[entry >>> 8] as number)) ** 2
    }
    return Math.sqrt(sum)
  }

  #weigh(): void {
    this.#changes = 0
    this.#weighedTexts = this.live
    for (let stem = 0; stem < this.#weighedStems; stem++) this.#weighStem(stem)
    for (let text = 0; text < this.count; text++) this.norms[text] = this.#norm(text)
  }

  #weighStem(stem: number): void {
    this.idf[stem] = Math.max(0, this.idfOf(stem, this.vocabulary.background(stem)))
  }

  /** Whole segments stay for good; the last one is inverted anew whenever it has grown by a quarter. */
  #seal(): void {
    for (;;) {
      const last = this.segments.at(-1)
      const open = last && last.to - last.from < SEGMENT_SIZE ? last : undefined
      const from = open ? open.from : (last?.to ?? 0)
      const to = Math.min(this.count, from + SEGMENT_SIZE)
      const sealed = open ? open.to - open.from : 0
      const gathered = to - from - sealed
      if (gathered < UNSEALED || (to - from < SEGMENT_SIZE && gathered * 4 < sealed)) return
      if (open) this.segments.pop()
      this.segments.push(invert(from, to, this.starts, this.entries, this.vocabulary.size))
    }
  }

  state() {
    return {
      starts: this.starts.subarray(0, this.count + 1),
      entries: this.entries.subarray(0, this.starts[this.count]),
      lengths: this.lengths.subarray(0, this.count),
      trigramNorms: this.trigramNorms.subarray(0, this.count),
      occurrences: this.occurrences,
      count: this.count,
      live: this.live,
      totalLength: this.totalLength,
    }
  }

  static from(vocabulary: Vocabulary, state: ReturnType<TextField['state']>): TextField {
    const field = new TextField(vocabulary)
    Object.assign(field, state)
    field.norms = new Float32Array(state.count)
    field.idf = new Float32Array(vocabulary.size)
    field.occurrences = withRoom(state.occurrences, vocabulary.size)
    field.#weighedStems = vocabulary.size
    field.#weigh()
    field.#seal()
    return field
  }
}
