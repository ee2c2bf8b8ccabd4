import fc from 'fast-check'
import { expect, test } from 'vitest'
import { likelyBound, placesWhere, smallestDistances } from './smallest-distances.ts'

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

test.each([100_000, 1_000_000, 4_000_000])(
  'of %i places, the bound lets pass the wanted ones and few more',
  (length) => {
    const wanted = 512
    const distances = new Uint16Array(length)
    const admitted = new Uint8Array(length).fill(1)
    for (let run = 0; run < 10; run++) {
      for (let place = 0; place < length; place++) distances[place] = 65_536 * Math.random()
      const bound = likelyBound(distances, admitted, wanted)
      const passed = distances.reduce((count, distance) => count + Number(distance <= bound), 0)
      expect(passed).toBeGreaterThanOrEqual(wanted)
      expect(passed).toBeLessThan(Math.max(8 * wanted, length / 50))
    }
  },
)

test('the admitted places that meet a condition', () => {
  expect([...placesWhere(Uint8Array.of(1, 0, 1, 1), 2, (place) => place !== 2)]).toEqual([0, 3])
})

test.each([
  ['as far as others', (place: number) => (place * 7919) % 50_021],
  ['nearer than others', (place: number) => (place % 4 === 0 ? place : 60_000 - place)],
  ['farther than others', (place: number) => (place % 4 === 0 ? 60_000 - place : place)],
])('of many places the wanted ones are found, also where those that are sampled are %s', (_, distanceOf) => {
  const distances = Uint16Array.from({ length: 10_000 }, (__, place) => distanceOf(place))
  const admitted = Uint8Array.from({ length: 10_000 }, (__, place) => Number(place % 3 > 0))
  const places = [...distances.keys()].filter((place) => place % 3 > 0)
  for (const wanted of [1, 100, 2_500, 6_666, 9_000]) {
    const nearest = places.toSorted((a, b) => distanceOf(a) - distanceOf(b)).slice(0, wanted)
    expect([...smallestDistances(distances, admitted, wanted)]).toEqual(nearest.sort((a, b) => a - b))
  }
})
