import { withRoom } from '../words/with-room.ts'

/** The number of 16-bit distances. */
const DISTANCES = 65_536
/** About so many places are sampled. */
const SAMPLE = 2_048
/** The bound aims at this many times the wanted places, because a sample is not exact. */
const SPARE = 3
/** So many of the sample must be within the bound: fewer would be too rough. */
const FEWEST = 16
/** Places that there is room for at first. */
const ROOM = 2_048

/** By distance: how many of the collected places have it; all 0 between calls. */
const histogram = new Uint32Array(DISTANCES)

/** Returns the `wanted` admitted places with the smallest distances, and all others as near as the last of them. */
export function smallestDistances(distances: Uint16Array, admitted: Uint8Array, wanted: number): Uint32Array {
  let found = within(likelyBound(distances, admitted, wanted), distances, admitted)
  if (found.length < wanted) found = within(DISTANCES - 1, distances, admitted)
  if (found.length <= wanted) return found
  return found.subarray(0, keepNear(found, distances, farthestOf(found, distances, wanted)))
}

/** A distance that, judged by a sample, somewhat more than the wanted admitted places do not exceed. */
export function likelyBound(distances: Uint16Array, admitted: Uint8Array, wanted: number): number {
  const step = Math.max(1, Math.floor(admitted.length / SAMPLE))
  const sample = new Uint32Array(Math.ceil(admitted.length / step))
  let count = 0
  for (let place = 0; place < admitted.length; place += step) if (admitted[place] === 1) sample[count++] = place
  const near = Math.max(FEWEST, Math.ceil((SPARE * wanted) / step))
  return near < count ? farthestOf(sample.subarray(0, count), distances, near) : DISTANCES - 1
}

/** The admitted places up to a distance. */
function within(bound: number, distances: Uint16Array, admitted: Uint8Array): Uint32Array {
  let places = new Uint32Array(ROOM)
  let count = 0
  for (let place = 0; place < admitted.length; place++) {
    if ((distances[place] as number) > bound || admitted[place] !== 1) continue
    places = withRoom(places, count + 1)
    places[count++] = place
  }
  return places.subarray(0, count)
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
