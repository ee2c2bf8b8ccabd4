import { SUBLINEAR } from '../words/sublinear.ts'
import type { FieldTexts } from './field-texts.ts'
import type { RowFilter } from './row-filter.ts'
import { listsOf, type ScoreBounds, scoreBoundsOf, type TermPostings } from './score-bounds.ts'
import { placeOf, SEGMENT_SIZE, type Segment } from './segment.ts'
import { type StemWeights, weightedSum, withWeights } from './stem-weights.ts'
import type { QueryTerm, TextQuery } from './text-query.ts'
import { TopK } from './top-k.ts'

/**
 * Returns the `size` texts that pass the filter and have the highest cosine of stems above 0; of equal ones the newest.
 * The result equals that of an exhaustive scan. Texts that can no longer reach it are skipped (MaxScore): the remaining
 * terms add at most their part of the query's length.
 */
export function candidates({ field, terms }: TextQuery, filter: RowFilter, size: number): Uint32Array {
  if (!terms.length || !filter.count) return new Uint32Array(0)
  const isCheaperToRead = filter.count * TEXT_COST < work(field, terms)
  const isMost = 2 * filter.count > field.count
  return withWeights(
    field,
    terms.map(({ stem, gain }) => [stem, gain]),
    (gains) => {
      const { flags, rows } = filter
      const floor = isMost ? sampledFloor(field, { terms, gains, flags, top: new TopK(size) }, size) : 0
      const search: Search = { terms, gains, flags, top: new TopK(size, floor) }
      if (isCheaperToRead) readTexts(search, field, rows)
      else searchPostings(search, field)
      return search.top.texts()
    },
  )
}

interface Search {
  terms: readonly QueryTerm[]
  gains: StemWeights
  flags: Uint8Array
  top: TopK
}

/** Reading a text costs about as much as accumulating this many postings. */
const TEXT_COST = 120
/** The same when only few texts remain: most postings are then skipped, which takes half as long (measured). */
const REMAINING_TEXT_COST = 240
/** The scores of the texts of a segment so far, by place; all 0 between segments. */
const scores = new Float32Array(SEGMENT_SIZE)
/**
 * The places that may reach the result, and their scores. Each is written before it is known whether it counts: the
 * branch would be unpredictable and cost more.
 */
const survivors = new Uint16Array(SEGMENT_SIZE + 1)
const sums = new Float32Array(SEGMENT_SIZE + 1)

/** What accumulating all postings of the terms costs, in postings. */
function work(field: FieldTexts, terms: readonly QueryTerm[]): number {
  return terms.reduce((sum, { stem }) => sum + (field.occurrences[stem] ?? 0), field.count)
}

/** The sample has this many times as many texts as the result. */
const SAMPLE = 2

/** A score below which no text reaches the result: enough texts with the heaviest terms reach it. */
function sampledFloor(field: FieldTexts, sample: Search, size: number): number {
  const seen = new Set<number>()
  for (const term of sample.terms) {
    for (const segment of field.segments.toReversed()) {
      for (const { start, end } of listsOf(segment, [term])) {
        for (let p = start; p < end; p++) {
          const place = segment.postings.places[p] as number
          if (!sample.flags[segment.from + place] || seen.has(segment.from + place)) continue
          seen.add(segment.from + place)
          offer(sample, segment, place)
          if (seen.size === SAMPLE * size) return sample.top.floor
        }
      }
    }
  }
  return sample.top.floor
}

/** Reads every text that passes the filter. */
function readTexts(search: Search, field: FieldTexts, rows: RowFilter['rows']): void {
  if (rows) for (const text of rows) offer(search, field.segmentOf(text), placeOf(text))
  else for (const segment of field.segments.toReversed()) offerFrom(search, segment, 0)
}

function searchPostings(search: Search, field: FieldTexts): void {
  for (const segment of field.segments.toReversed()) {
    // The newest texts have no postings yet.
    offerFrom(search, segment, segment.postings.count)
    searchSegment(search, segment)
  }
}

/** Reads the texts of a segment that pass the filter, from a place on, the newest first. */
function offerFrom(search: Search, segment: Segment, start: number): void {
  const { from, count } = segment
  for (let place = count - 1; place >= start; place--) if (search.flags[from + place]) offer(search, segment, place)
}

/**
 * Accumulates the postings of a segment, the heaviest terms first, until the texts that may still reach the result are
 * so few that it is cheaper to read them.
 */
function searchSegment(search: Search, segment: Segment): void {
  const { from } = segment
  const { terms, top } = search
  const lists = listsOf(segment, terms)
  const bounds = scoreBoundsOf(lists)
  let used = 0
  // While the remaining terms together stay below the threshold, a text needs one of the heavier terms.
  while (used < lists.length && (bounds[used] as ScoreBounds).most > top.threshold - ROUNDING) used++
  let found = collect(search, segment, lists.slice(0, used), bounds[used] as ScoreBounds)
  while (used < lists.length && found * REMAINING_TEXT_COST > (bounds[used] as ScoreBounds).left) {
    accumulateListed(segment, lists[used++] as TermPostings)
    found = pruned(search, segment, found, bounds[used] as ScoreBounds)
  }
  survivors.subarray(0, found).sort()
  for (let i = found - 1; i >= 0; i--) {
    const place = survivors[i] as number
    if (used < lists.length) offer(search, segment, place)
    else top.offer(from + place, scores[place] as number)
    scores[place] = 0
  }
}

/** The most that the scores are off in single precision. */
const ROUNDING = 1e-6

/**
 * Keeps the texts that pass the filter and can still reach the threshold with the remaining terms. Clears the scores of
 * the others. Returns how many it kept.
 */
function collect({ flags, top }: Search, segment: Segment, lists: TermPostings[], bounds: ScoreBounds): number {
  const { from, inverses, postings } = segment
  const threshold = top.threshold - ROUNDING
  const bar = Math.max(0, threshold - bounds.most)
  let over = 0
  for (const list of lists) over = accumulate(segment, list, bar, over)
  let found = 0
  for (let i = 0; i < over; i++) {
    const place = survivors[i] as number
    const score = scores[place] as number
    sums[found] = score
    survivors[found] = place
    found += Number(score + bounds.mostGain * (inverses[place] as number) > threshold) & (flags[from + place] as number)
  }
  scores.fill(0, 0, postings.count)
  for (let i = 0; i < found; i++) scores[survivors[i] as number] = sums[i] as number
  return found
}

/** Adds the scores of a term, and appends the places that pass the bar for the first time. */
function accumulate(
  { postings, inverses }: Segment,
  { start, end, gain }: TermPostings,
  bar: number,
  over: number,
): number {
  const { places, frequencies } = postings
  let count = over
  for (let p = start; p < end; p++) {
    const place = places[p] as number
    const before = scores[place] as number
    // Rounded as it is stored. In double precision, a score might pass the bar at two terms or at none.
    const after = Math.fround(
      before + gain * (SUBLINEAR[frequencies[p] as number] as number) * (inverses[place] as number),
    )
    scores[place] = after
    survivors[count] = place
    count += Number(after > bar) - Number(before > bar)
  }
  return count
}

/** Adds the scores of a term to the texts that have a score. */
function accumulateListed({ postings, inverses }: Segment, { start, end, gain }: TermPostings): void {
  const { places, frequencies } = postings
  for (let p = start; p < end; p++) {
    const place = places[p] as number
    const score = scores[place] as number
    if (score === 0) continue
    scores[place] = score + gain * (SUBLINEAR[frequencies[p] as number] as number) * (inverses[place] as number)
  }
}

/** Keeps the listed texts that can still reach the threshold with the remaining terms, and returns how many. */
function pruned({ top }: Search, { inverses }: Segment, count: number, { most, mostGain }: ScoreBounds): number {
  const threshold = top.threshold - ROUNDING
  let found = 0
  for (let i = 0; i < count; i++) {
    const place = survivors[i] as number
    const score = scores[place] as number
    const missing = threshold - score
    const isPossible = Number(missing < most) & Number(missing < mostGain * (inverses[place] as number))
    scores[place] = isPossible * score
    survivors[found] = place
    found += isPossible
  }
  return found
}

/** Reads a text, and keeps it if its score reaches the result. */
function offer({ gains, top }: Search, segment: Segment, place: number): void {
  const sum = weightedSum(segment, place, gains)
  if (sum > 0) top.offer(segment.from + place, sum / (segment.norms[place] as number))
}
