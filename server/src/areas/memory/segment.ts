/** Texts of one segment: so few that an accumulator for each stays in the processor's cache. */
export const SEGMENT_SIZE = 65_536

/** The texts `[from, to)` of a field by stem: where each stem occurs and how often. Immutable. */
export interface Segment {
  readonly from: number
  readonly to: number
  /** In rising order; the postings of `stems[i]` are `[starts[i], starts[i + 1])`. */
  readonly stems: Uint32Array
  readonly starts: Uint32Array
  /** Counted from `from`. */
  readonly texts: Uint16Array
  readonly frequencies: Uint8Array
  /** The highest frequency of each of `stems`. */
  readonly highest: Uint8Array
}

/** Inverts the entries (stem × 256 + frequency) of the texts `[from, to)`. */
export function invert(
  from: number,
  to: number,
  starts: Uint32Array,
  entries: Uint32Array,
  vocabulary: number,
): Segment {
  const first = starts[from] as number
  const last = starts[to] as number
  const places = new Uint32Array(vocabulary + 1)
  for (let e = first; e < last; e++) bump(places, ((entries[e] as number) >>> 8) + 1)
  const present: number[] = []
  const bounds: number[] = [0]
  for (let stem = 0; stem < vocabulary; stem++) {
    const count = places[stem + 1] as number
    places[stem + 1] = count + (places[stem] as number)
    if (count) {
      present.push(stem)
      bounds.push(places[stem + 1] as number)
    }
  }
  const texts = new Uint16Array(last - first)
  const frequencies = new Uint8Array(last - first)
  for (let text = from; text < to; text++) {
    for (let e = starts[text] as number; e < (starts[text + 1] as number); e++) {
      const entry = entries[e] as number
      const place = bump(places, entry >>> 8)
      texts[place] = text - from
      frequencies[place] = entry & 255
    }
  }
  const highest = Uint8Array.from(present, (_, i) =>
    highestOf(frequencies, bounds[i] as number, bounds[i + 1] as number),
  )
  return { from, to, stems: Uint32Array.from(present), starts: Uint32Array.from(bounds), texts, frequencies, highest }
}

/** The place of a stem among the segment's, -1 when it does not occur. */
export function placeOf({ stems }: Segment, stem: number): number {
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

function highestOf(frequencies: Uint8Array, start: number, end: number): number {
  let highest = 0
  for (let p = start; p < end; p++) if ((frequencies[p] as number) > highest) highest = frequencies[p] as number
  return highest
}

function bump(counts: Uint32Array, index: number): number {
  const before = counts[index] as number
  counts[index] = before + 1
  return before
}
