/** The characters of English stems; a space stands for the boundary of a word. */
const SIGNS = ' abcdefghijklmnopqrstuvwxyz0123456789'
const COUNT = SIGNS.length
const OTHER = 255
/** By code: the number of a character. */
const signs = new Uint8Array(256).fill(OTHER)
for (const [number, sign] of [...SIGNS].entries()) signs[sign.charCodeAt(0)] = number

/** How many 3-grams of such characters there are. Each has a place among them. */
export const PLACES = COUNT ** 3

/**
 * The places of the 3-grams of a stem in UTF-8, in their order; undefined if it has other characters. The array is used
 * again by the next call.
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

/** The place of a 3-gram; undefined if it has other characters. */
export function placeOf(gram: string): number | undefined {
  let place = 0
  for (let i = 0; i < gram.length; i++) {
    const sign = signs[gram.charCodeAt(i)] ?? OTHER
    if (sign === OTHER) return undefined
    place = place * COUNT + sign
  }
  return place
}
