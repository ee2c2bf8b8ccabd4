import { withRoom } from '../words/with-room.ts'

/** The occurrences and frequencies of each stem in the first `count` texts of a segment. */
export interface Postings {
  readonly count: number
  /** Ascending; the postings of `stems[i]` are `[starts[i], starts[i + 1])`. */
  readonly stems: Uint32Array
  readonly starts: Uint32Array
  /** Places in the segment, ascending for each stem. */
  readonly places: Uint16Array
  readonly frequencies: Uint8Array
  /** By stem: the highest frequency in a text; 0 until `peakAt` finds it. */
  readonly peaks: Uint8Array
}

/** The postings of no texts. */
export const noPostings = (): Postings => ({
  count: 0,
  stems: new Uint32Array(0),
  starts: new Uint32Array(1),
  places: new Uint16Array(0),
  frequencies: new Uint8Array(0),
  peaks: new Uint8Array(0),
})

/** Texts by text: the entries (stem × 256 + frequency) of text `p` are `entries[starts[p]..starts[p + 1]]`. */
interface Texts {
  readonly count: number
  readonly starts: Uint32Array
  readonly entries: Uint32Array
}

/** Stems that have other numbers elsewhere: stem `n` is number `numbers[n]` here. `order` lists them by that number. */
export interface Numbering {
  readonly numbers: Uint32Array
  readonly order: Uint32Array
}

/** By number: a stem + 1; all 0 between calls. */
let stemsByNumber = new Uint32Array(0)

/** The numbering of stems whose numbers here all differ. */
export function numbering(numbers: Uint32Array): Numbering {
  let most = 0
  for (let stem = 0; stem < numbers.length; stem++) most = Math.max(most, numbers[stem] as number)
  stemsByNumber = withRoom(stemsByNumber, most + 1)
  const byNumber = stemsByNumber
  for (let stem = 0; stem < numbers.length; stem++) byNumber[numbers[stem] as number] = stem + 1
  const order = new Uint32Array(numbers.length)
  for (let number = 0, at = 0; at < order.length; number++) {
    const stem = byNumber[number] as number
    if (stem === 0) continue
    byNumber[number] = 0
    order[at++] = stem - 1
  }
  return { numbers, order }
}

let ascending = new Uint32Array(0)

/** The numbering of `count` stems that have no other numbers. */
export function identity(count: number): Numbering {
  if (ascending.length < count) ascending = Uint32Array.from({ length: 2 * count }, (_, i) => i)
  const numbers = ascending.subarray(0, count)
  return { numbers, order: numbers }
}

/**
 * Inverts texts whose stems have other numbers in the postings. `occurrences[n]` of the texts hold their stem `n`; it
 * is overwritten.
 */
export function invert(
  { count, starts, entries }: Texts,
  { numbers, order }: Numbering,
  occurrences: Uint32Array,
): Postings {
  let distinct = 0
  for (let stem = 0; stem < occurrences.length; stem++) distinct += Number(occurrences[stem] !== 0)
  const stems = new Uint32Array(distinct)
  const bounds = new Uint32Array(distinct + 1)
  const next = occurrences
  for (let i = 0, at = 0, start = 0; i < distinct; at++) {
    const stem = order[at] as number
    const held = occurrences[stem] as number
    if (held === 0) continue
    stems[i] = numbers[stem] as number
    next[stem] = start
    start += held
    bounds[++i] = start
  }
  const total = starts[count] as number
  const places = new Uint16Array(total)
  const frequencies = new Uint8Array(total)
  for (let place = 0, e = 0; place < count; place++) {
    for (const end = starts[place + 1] as number; e < end; e++) {
      const entry = entries[e] as number
      const at = next[entry >>> 8] as number
      next[entry >>> 8] = at + 1
      places[at] = place
      frequencies[at] = entry & 255
    }
  }
  return { count, stems, starts: bounds, places, frequencies, peaks: new Uint8Array(distinct) }
}

/** The highest frequency of `stems[at]` in a text. */
export function peakAt({ starts, frequencies, peaks }: Postings, at: number): number {
  let most = peaks[at] as number
  if (most) return most
  for (let p = starts[at] as number; p < (starts[at + 1] as number); p++)
    most = Math.max(most, frequencies[p] as number)
  peaks[at] = most
  return most
}

/** The index of a stem in the postings; -1 if it does not occur. */
export function indexOfStem({ stems }: Postings, stem: number): number {
  let low = 0
  let high = stems.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = stems[middle] as number
    if (found === stem) return middle
    if (found < stem) low = middle + 1
    else high = middle - 1
  }
  return -1
}
