/** The characters of English stems; a space stands for the boundary of a word. */
const SIGNS = ' abcdefghijklmnopqrstuvwxyz0123456789'
const COUNT = SIGNS.length
const OTHER = 255
/** By code: the number of a character. */
const signs = new Uint8Array(256).fill(OTHER)
for (const [number, sign] of [...SIGNS].entries()) signs[sign.charCodeAt(0)] = number

/** How many 3-grams of such characters there are. Each has a place of its own. */
const OWN_PLACES = COUNT ** 3
/** Of all other 3-grams, some share a place. */
const SHARED_PLACES = 32_768

/** 3-grams have places from 1 to before this. */
export const PLACES = OWN_PLACES + SHARED_PLACES
/** The place that three boundaries would have. */
export const NO_PLACE = 0

/**
 * The places of the 3-grams of a stem in UTF-8, in their order; undefined if it has other characters than English
 * stems. The array is used again by the next call.
 */
export function placesOf(stem: Uint8Array): Int32Array | undefined {
  if (stem.length > places.length) places = new Int32Array(2 * stem.length)
  let place = 0
  for (let i = 0; i <= stem.length; i++) {
    const sign = i < stem.length ? (signs[stem[i] as number] as number) : 0
    if (sign === OTHER) return undefined
    place = (place % (COUNT * COUNT)) * COUNT + sign
    if (i > 0) places[i - 1] = place
  }
  return places.subarray(0, stem.length)
}

let places = new Int32Array(64)

/** The place of a 3-gram. */
export function placeOf(gram: string): number {
  let place = 0
  for (let i = 0; i < gram.length; i++) {
    const sign = signs[gram.charCodeAt(i)] ?? OTHER
    if (sign === OTHER) return sharedPlaceOf(gram)
    place = place * COUNT + sign
  }
  return place
}

/** By the hash FNV-1a. */
function sharedPlaceOf(gram: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < gram.length; i++) hash = Math.imul(hash ^ gram.charCodeAt(i), 0x01000193)
  return OWN_PLACES + ((hash ^ (hash >>> 15)) & (SHARED_PLACES - 1))
}
