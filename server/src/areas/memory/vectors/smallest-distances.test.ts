import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placesWhere, smallestDistances } from './smallest-distances.ts'

test('as many places as are wanted, of the least distance, and those as far as the last of them; only admitted ones', () => {
  const place = fc.record({
    distance: fc.oneof(fc.integer({ min: 0, max: 65_535 }), fc.integer({ min: 300, max: 303 })),
    admitted: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(place, { maxLength: 400 }), fc.integer({ min: 1, max: 12 }), (places, wanted) => {
      const all = places.map((each, i) => ({ ...each, i })).filter(({ admitted }) => admitted)
      const farthest = all.map(({ distance }) => distance).sort((a, b) => a - b)[wanted - 1] ?? 65_535
      const found = smallestDistances(
        Uint16Array.from(places, ({ distance }) => distance),
        Uint8Array.from(places, ({ admitted }) => Number(admitted)),
        wanted,
      )
      expect([...found]).toEqual(all.filter(({ distance }) => distance <= farthest).map(({ i }) => i))
    }),
    { numRuns: 500 },
  )
})

test('the admitted places that meet a condition', () => {
  expect([...placesWhere(Uint8Array.of(1, 0, 1, 1), 2, (place) => place !== 2)]).toEqual([0, 3])
})
