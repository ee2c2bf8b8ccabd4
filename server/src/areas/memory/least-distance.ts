/** How many distances there can be. */
const DISTANCES = 65_536

/** The admitted places of the least distance: as many as are wanted, and those that are as far as the last of them. */
export function placesOfLeast(distances: Uint16Array, admitted: Uint8Array, wanted: number): Uint32Array {
  const histogram = new Uint32Array(DISTANCES)
  for (let place = 0; place < admitted.length; place++) {
    const distance = distances[place] as number
    histogram[distance] = (histogram[distance] as number) + (admitted[place] as number)
  }
  let count = 0
  let farthest = 0
  for (; farthest < DISTANCES; farthest++) {
    count += histogram[farthest] as number
    if (count >= wanted) break
  }
  return placesWhere(admitted, count, (place) => (distances[place] as number) <= farthest)
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
