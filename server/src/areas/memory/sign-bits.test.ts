import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distancesOf, SignBits, weightsOf } from './sign-bits.ts'

const vectors = fc.integer({ min: 1, max: 2000 }).chain((dimensions) =>
  fc.array(fc.float32Array({ minLength: dimensions, maxLength: dimensions, noNaN: true, min: -9, max: 9 }), {
    minLength: 2,
    maxLength: 5,
  }),
)

test('the distance is how much of the query lies in elements of the other sign, whichever places are measured', () => {
  fc.assert(
    fc.property(vectors, (each) => {
      const [query = new Float32Array(), ...others] = each
      const held = new SignBits(query.length)
      for (const [place, vector] of others.entries()) held.put(place, vector)
      held.put(others.length, query)
      held.move(others.length, 0)
      const kept = [query, ...others.slice(1)]
      const length = (values: Float32Array) => values.reduce((sum, value) => sum + Math.abs(value), 0)
      const wanted = kept.map((vector) => {
        const differing = query.filter((value, i) => value > 0 !== (vector[i] ?? 0) > 0)
        return (32_000 * length(differing)) / (length(query) || 1)
      })
      const distances = new Uint16Array(kept.length)
      const to = kept.length
      const weights = weightsOf(query)
      // Each byte of signs is rounded by half of one at most.
      const within = query.length / 16 + 1
      held.measure(weights, { places: undefined, from: 0, to }, distances)
      for (const [i, distance] of distances.entries()) {
        expect(Math.abs(distance - (wanted[i] ?? 0))).toBeLessThanOrEqual(within)
        expect(distance).toBeLessThan(distancesOf(query.length))
      }
      expect(distances[0]).toBe(0)
      const places = Uint32Array.from(kept.keys()).reverse()
      const reversed = new Uint16Array(kept.length)
      held.measure(weights, { places, from: 0, to }, reversed)
      expect([...reversed]).toEqual([...distances].reverse())
    }),
  )
})
