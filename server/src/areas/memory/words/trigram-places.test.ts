import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_PLACE, PLACES, placeOf, placesOf } from './trigram-places.ts'
import { trigramsOf } from './trigrams.ts'

const bytesOf = (stem: string) => new TextEncoder().encode(stem)
const SIGNS = 'abcdefghijklmnopqrstuvwxyz0123456789'

test('the places of a stem are those of its 3-grams, in their order', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...SIGNS), minLength: 1, maxLength: 12 }), (stem) => {
      expect([...(placesOf(bytesOf(stem)) ?? [])]).toEqual(trigramsOf(stem).map(placeOf))
    }),
  )
})

test('each 3-gram of such characters has a place of its own', () => {
  const signs = [' ', ...SIGNS]
  const places = signs.flatMap((a) => signs.flatMap((b) => signs.map((c) => placeOf(a + b + c))))
  expect(places.toSorted((a, b) => a - b)).toEqual(places.map((_, i) => i))
  expect(placeOf('   ')).toBe(NO_PLACE)
})

test.each(['é', 'x_y', '価格', 'naïve'])('%s has other characters', (stem) => {
  expect(placesOf(bytesOf(stem))).toBeUndefined()
})

test('3-grams of other characters share the places after those, and few of a language have the same', () => {
  const letters = [...'абвгдежзийклмнопрстуфхцчшщъыьэюя']
  const grams = letters.flatMap((a) => letters.map((b) => ` ${a}${b}`))
  const places = grams.map(placeOf)
  for (const place of places) {
    expect(place).toBeGreaterThanOrEqual(37 ** 3)
    expect(place).toBeLessThan(PLACES)
  }
  expect(new Set(places).size).toBeGreaterThan(0.95 * grams.length)
})
