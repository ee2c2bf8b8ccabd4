import { placeOf, SEGMENT_SIZE, type Segment } from './segment.ts'
import { SUBLINEAR, type TextField } from './text-field.ts'
import type { QueryTerm, TextQuery } from './text-query.ts'
import { Top } from './top.ts'

/** Which texts may be found: one flag for each, and how many are set. */
export interface Admission {
  readonly flags: Uint8Array
  readonly count: number
}

/**
 * The `size` admitted texts of the highest cosine of stems above 0, of equals the newest: what reading every text would
 * find. Texts that cannot get in any more are passed over: a unit vector gains at most the length of the query's part.
 */
export function candidates({ field, terms }: TextQuery, admission: Admission, size: number): Uint32Array {
  const top = new Top(size)
  if (!terms.length || !admission.count) return top.texts()
  const gains = new Float64Array(field.vocabulary.size)
  for (const { stem, gain } of terms) gains[stem] = gain
  const search: Search = { field, terms, gains, flags: admission.flags, top }
  const few = admission.count * READING < work(field, terms)
  const sealed = few ? 0 : (field.segments.at(-1)?.to ?? 0)
  for (let text = field.count - 1; text >= sealed; text--) if (admission.flags[text]) offer(search, text)
  if (!few) for (const segment of field.segments.toReversed()) searchSegment(search, segment)
  return top.texts()
}

interface Search {
  field: TextField
  terms: readonly QueryTerm[]
  /** By stem. */
  gains: Float64Array
  flags: Uint8Array
  top: Top
}

/** Reading a text costs about as much as this many postings. */
const READING = 60

const accumulator = new Float32Array(SEGMENT_SIZE)
const survivors = new Uint16Array(SEGMENT_SIZE)

function work(field: TextField, terms: readonly QueryTerm[]): number {
  return terms.reduce((sum, { stem }) => sum + (field.occurrences[stem] ?? 0), field.count)
}

function searchSegment(search: Search, segment: Segment): void {
  const { terms, top } = search
  const essential = countEssential(terms, top.threshold)
  if (!essential) return
  const lists = terms.map((term) => postingsOf(segment, term))
  const others = lists.slice(essential)
  accumulator.fill(0)
  for (const list of lists.slice(0, essential)) accumulate(segment, list)
  const found = collect(search, segment, {
    share: Math.hypot(...terms.slice(essential).map(({ weight }) => weight)),
    sum: others.reduce((sum, { most }) => sum + most, 0),
  })
  if (found * READING < others.reduce((sum, { start, end }) => sum + end - start, 0)) {
    for (let i = 0; i < found; i++) offer(search, segment.from + (survivors[i] as number))
    return
  }
  for (const list of others) accumulate(segment, list)
  for (let i = 0; i < found; i++) {
    const text = segment.from + (survivors[i] as number)
    top.offer(text, (accumulator[survivors[i] as number] as number) / (search.field.norms[text] as number))
  }
}

/** How many of the heaviest terms a text needs one of to get in: the others together do not reach the threshold. */
function countEssential(terms: readonly QueryTerm[], threshold: number): number {
  let squares = 0
  let essential = terms.length
  for (; essential > 0; essential--) {
    squares += (terms[essential - 1] as QueryTerm).weight ** 2
    if (Math.sqrt(squares) > threshold - ROUNDING) break
  }
  return essential
}

/** What the accumulator's single precision may be off by. */
const ROUNDING = 1e-6

interface Postings {
  start: number
  end: number
  gain: number
  /** The most that a text of the segment gains by the term, before division by its norm. */
  most: number
}

function postingsOf(segment: Segment, { stem, gain }: QueryTerm): Postings {
  const place = placeOf(segment, stem)
  if (place < 0) return { start: 0, end: 0, gain, most: 0 }
  const most = gain * (SUBLINEAR[segment.highest[place] as number] as number)
  return { start: segment.starts[place] as number, end: segment.starts[place + 1] as number, gain, most }
}

function accumulate({ texts, frequencies }: Segment, { start, end, gain }: Postings): void {
  for (let p = start; p < end; p++) {
    const text = texts[p] as number
    accumulator[text] = (accumulator[text] as number) + gain * (SUBLINEAR[frequencies[p] as number] as number)
  }
}

/** What the terms left out can add: to a text's score at most `share`, to its sum before division at most `sum`. */
interface Rest {
  share: number
  sum: number
}

/** Lists the admitted texts that may get in, the newest first; returns how many. */
function collect({ field, flags, top }: Search, segment: Segment, rest: Rest): number {
  const { norms } = field
  const threshold = top.threshold - ROUNDING
  let found = 0
  for (let i = segment.to - segment.from - 1; i >= 0; i--) {
    const sum = accumulator[i] as number
    if (sum === 0) continue
    const text = segment.from + i
    const norm = norms[text] as number
    if (sum + Math.min(rest.share * norm, rest.sum) > threshold * norm && flags[text]) survivors[found++] = i
  }
  return found
}

function offer({ field, gains, top }: Search, text: number): void {
  const { starts, entries, norms } = field
  let sum = 0
  for (let e = starts[text] as number; e < (starts[text + 1] as number); e++) {
    const entry = entries[e] as number
    sum += (gains[entry >>> 8] as number) * (SUBLINEAR[entry & 255] as number)
  }
  if (sum > 0) top.offer(text, sum / (norms[text] as number))
}
