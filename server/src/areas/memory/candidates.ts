import { find, type Postings, SEGMENT_SIZE, type Segment } from './segment.ts'
import { gained, type StemWeights, withWeights } from './stem-weights.ts'
import { SUBLINEAR } from './sublinear.ts'
import type { TextField } from './text-field.ts'
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
  const few = admission.count * READING * PASSED_OVER < work(field, terms)
  return withWeights(
    field,
    terms.map(({ stem, gain }) => [stem, gain]),
    (gains) => {
      const search: Search = { terms, gains, flags: admission.flags, top }
      for (const segment of field.segments.toReversed()) {
        readSegment(search, segment, few ? 0 : segment.postings.count)
        if (!few) searchSegment(search, segment)
      }
      return top.texts()
    },
  )
}

interface Search {
  terms: readonly QueryTerm[]
  gains: StemWeights
  flags: Uint8Array
  top: Top
}

/** Reading a text costs about as much as this many postings. */
const READING = 100
/** Of so many postings one is looked at: the others are of texts that cannot get in. */
const PASSED_OVER = 4

/** What the texts of a segment have gained so far, by place; all 0 between segments. */
const gathered = new Float32Array(SEGMENT_SIZE)
/** The places that have gained anything, and those of them that may get in. */
const touchedPlaces = new Uint16Array(SEGMENT_SIZE)
const surviving = new Uint16Array(SEGMENT_SIZE)

function work(field: TextField, terms: readonly QueryTerm[]): number {
  return terms.reduce((sum, { stem }) => sum + (field.occurrences[stem] ?? 0), field.count)
}

function readSegment(search: Search, segment: Segment, start: number): void {
  const { from, count } = segment
  for (let place = count - 1; place >= start; place--) if (search.flags[from + place]) offer(search, segment, place)
}

function searchSegment(search: Search, segment: Segment): void {
  const { postings } = segment
  const { terms, top } = search
  const lists = terms.flatMap((term) => listOf(segment, term))
  const { rests, left } = sumsOf(lists)
  let used = 0
  let touched = 0
  // A text needs one of the heaviest terms to get in, as long as the others together do not reach the threshold.
  for (const list of lists) {
    if ((rests[used] as number) <= top.threshold - ROUNDING) break
    touched = gather(postings, list, touched)
    used++
  }
  let found = admitted(search, segment, touched)
  for (;;) {
    found = hopeful(search, segment, found, rests[used] as number)
    if (found * READING <= (left[used] as number)) break
    const next = lists[used++]
    if (!next) break
    add(postings, next)
  }
  surviving.subarray(0, found).sort()
  for (let i = found - 1; i >= 0; i--) {
    const place = surviving[i] as number
    if (used < lists.length) offer(search, segment, place)
    else top.offer(segment.from + place, (gathered[place] as number) / (segment.norms[place] as number))
  }
  for (let i = 0; i < touched; i++) gathered[touchedPlaces[i] as number] = 0
}

/** The postings of a term in a segment. */
interface List {
  start: number
  end: number
  weight: number
  gain: number
  /** The most that a text of the segment scores by the term. */
  most: number
}

function listOf({ impacts, postings }: Segment, { stem, weight, gain }: QueryTerm): List[] {
  const at = find(postings, stem)
  if (at < 0 || !gain) return []
  const { starts } = postings
  return [
    { start: starts[at] as number, end: starts[at + 1] as number, weight, gain, most: gain * (impacts[at] as number) },
  ]
}

/**
 * For each term and those after it: what they can add to a text's score (no more than each adds to any text, and no more
 * than the length of their part of the query), and how many postings they have. After the last one both are 0.
 */
function sumsOf(lists: List[]): { rests: Float64Array; left: Float64Array } {
  const rests = new Float64Array(lists.length + 1)
  const left = new Float64Array(lists.length + 1)
  let squares = 0
  let sum = 0
  for (let i = lists.length - 1; i >= 0; i--) {
    const { weight, most, start, end } = lists[i] as List
    squares += weight ** 2
    sum += most
    rests[i] = Math.min(Math.sqrt(squares), sum)
    left[i] = (left[i + 1] as number) + end - start
  }
  return { rests, left }
}

/** What the single precision of what is gathered may be off by. */
const ROUNDING = 1e-6

/** Adds what the texts gain by the term; returns how many have gained anything so far. */
function gather({ places, frequencies }: Postings, { start, end, gain }: List, before: number): number {
  let touched = before
  for (let p = start; p < end; p++) {
    const place = places[p] as number
    const sum = gathered[place] as number
    if (sum === 0) touchedPlaces[touched++] = place
    gathered[place] = sum + gain * (SUBLINEAR[frequencies[p] as number] as number)
  }
  return touched
}

/** The same for the texts that have gained something already. */
function add({ places, frequencies }: Postings, { start, end, gain }: List): void {
  for (let p = start; p < end; p++) {
    const place = places[p] as number
    const sum = gathered[place] as number
    if (sum !== 0) gathered[place] = sum + gain * (SUBLINEAR[frequencies[p] as number] as number)
  }
}

/** Lists the admitted ones of the touched texts; returns how many. */
function admitted({ flags }: Search, { from }: Segment, touched: number): number {
  let found = 0
  for (let i = 0; i < touched; i++) {
    const place = touchedPlaces[i] as number
    if (flags[from + place]) surviving[found++] = place
  }
  return found
}

/** Keeps of the `count` surviving texts those that get in with all that the rest may add; returns how many. */
function hopeful({ top }: Search, { norms }: Segment, count: number, rest: number): number {
  const threshold = top.threshold - ROUNDING - rest
  let found = 0
  for (let i = 0; i < count; i++) {
    const place = surviving[i] as number
    if ((gathered[place] as number) > threshold * (norms[place] as number)) surviving[found++] = place
  }
  return found
}

function offer({ gains, top }: Search, segment: Segment, place: number): void {
  const sum = gained(segment, place, gains)
  if (sum > 0) top.offer(segment.from + place, sum / (segment.norms[place] as number))
}
