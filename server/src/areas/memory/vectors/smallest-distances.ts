import { withRoom } from '../words/with-room.ts'

/** The number of 16-bit distances. */
const DISTANCES = 65_536
/** Up to this many times the wanted places are collected before the farther ones are dropped. */
const ROOM = 8

/** By distance: how many of the collected places have it; all 0 between calls. */
const histogram = new Uint32Array(DISTANCES)

/** Returns the `wanted` admitted places with the smallest distances, and all others as near as the last of them. */
export function smallestDistances(distances: Uint16Array, admitted: Uint8Array, wanted: number): Uint32Array {
  let gathered = new Uint32Array(ROOM * wanted)
  let count = 0
  let farthest = DISTANCES - 1
  for (let place = 0; place < admitted.length; place++) {
    if ((distances[place] as number) > farthest || admitted[place] !== 1) continue
    gathered[count++] = place
    if (count < gathered.length) continue
    farthest = farthestOf(gathered, distances, wanted)
    count = keepNear(gathered, distances, farthest)
    // Many may have the same distance.
    gathered = withRoom(gathered, 2 * count)
  }
  const found = gathered.subarray(0, count)
  if (count <= wanted) return found
  return found.subarray(0, keepNear(found, distances, farthestOf(found, distances, wanted)))
}

/** The distance of the last wanted place. */
function farthestOf(places: Uint32Array, distances: Uint16Array, wanted: number): number {
  const distanceOf = (i: number) => distances[places[i] as number] as number
  let farthest = DISTANCES - 1
  for (let i = 0; i < places.length; i++) {
    const distance = distanceOf(i)
    histogram[distance] = (histogram[distance] as number) + 1
    // From the least distance on: most of the histogram is empty.
    if (distance < farthest) farthest = distance
  }
  for (let count = histogram[farthest] as number; count < wanted; ) count += histogram[++farthest] as number
  for (let i = 0; i < places.length; i++) histogram[distanceOf(i)] = 0
  return farthest
}

/** Moves the places up to a distance to the front, in order, and returns how many. */
function keepNear(places: Uint32Array, distances: Uint16Array, farthest: number): number {
  let kept = 0
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number
    if ((distances[place] as number) <= farthest) places[kept++] = place
  }
  return kept
}

/** The admitted places that meet a condition, of which there are `count`. */
export function placesWhere(admitted: Uint8Array, count: number, meets: (place: number) => boolean): Uint32Array {
  const places = new Uint32Array(count)
  let found = 0
  for (let place = 0; place < admitted.length; place++) {
    if (admitted[place] === 1 && meets(place)) places[found++] = place
  }
  return places
}
