/** Distances have 16 bits; so many of the upper ones are counted, in an array that fits the processor's first cache. */
const COUNTED_BITS = 12
const UNCOUNTED_BITS = 16 - COUNTED_BITS

/** The admitted places of the least distance: as many as are wanted, and those that are about as far as the last of them. */
export function placesOfLeast(distances: Uint16Array, admitted: Uint8Array, wanted: number): Uint32Array {
  const histogram = new Uint32Array(1 << COUNTED_BITS)
  for (let place = 0; place < admitted.length; place++) {
    const step = (distances[place] as number) >>> UNCOUNTED_BITS
    histogram[step] = (histogram[step] as number) + (admitted[place] as number)
  }
  let count = 0
  let steps = 0
  while (count < wanted && steps < histogram.length) count += histogram[steps++] as number
  return placesWhere(admitted, count, (place) => (distances[place] as number) >>> UNCOUNTED_BITS < steps)
}

/** The admitted places that meet a condition; there are `count`. */
export function placesWhere(admitted: Uint8Array, count: number, meets: (place: number) => boolean): Uint32Array {
  const places = new Uint32Array(count)
  let found = 0
  for (let place = 0; place < admitted.length; place++) {
    if (admitted[place] === 1 && meets(place)) places[found++] = place
  }
  return places
}
