import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SignBits, signTables } from './sign-bits.ts'

const vectors = fc.integer({ min: 1, max: 2000 }).chain((dimensions) =>
  fc.array(fc.float32Array({ minLength: dimensions, maxLength: dimensions, noNaN: true, min: -9, max: 9 }), {
    minLength: 2,
    maxLength: 40,
  }),
)

test('the distance is how much of the query lies in elements of the other sign, whichever places are measured', () => {
  fc.assert(
    fc.property(vectors, fc.nat(), (each, number) => {
      const [query = new Float32Array(), ...others] = each
      const held = new SignBits(query.length)
      for (const [place, vector] of others.entries()) held.put(place, vector)
      held.put(others.length, query)
      const replaced = number % others.length
      held.move(others.length, replaced)
      const kept = others.with(replaced, query)
      const { tables, scale } = signTables(query)
      // Each four elements are rounded by half of one at most.
      const within = query.length / 8 + 1
      const whole = new Uint16Array(48)
      held.measure({ tables, scale }, 0, kept.length, whole)
      for (const [i, vector] of kept.entries()) {
        const differing = query.filter((value, at) => value > 0 !== (vector[at] ?? 0) > 0)
        const wanted = scale * differing.reduce((sum, value) => sum + Math.abs(value), 0)
        expect(Math.abs((whole[i] ?? 0) - wanted)).toBeLessThanOrEqual(within)
      }
      expect(whole[replaced]).toBe(0)
      const parts = new Uint16Array(48)
      for (let from = 0; from < 48 && from < kept.length; from += 16) {
        held.measure({ tables, scale }, from, Math.min(from + 16, kept.length), parts)
      }
      expect([...parts.subarray(0, kept.length)]).toEqual([...whole.subarray(0, kept.length)])
    }),
  )
})

test('distances of the longest vectors do not overflow', () => {
  const query = new Float32Array(16_000).fill(0.3)
  const held = new SignBits(query.length)
  for (let place = 0; place < 40; place++)
    held.put(
      place,
      query.map((value, i) => (i < 400 * place ? -value : value)),
    )
  const { tables, scale } = signTables(query)
  const distances = new Uint16Array(48)
  held.measure({ tables, scale }, 0, 40, distances)
  for (let place = 0; place < 40; place++) {
    expect(Math.abs((distances[place] ?? 0) - scale * 0.3 * 400 * place)).toBeLessThanOrEqual(2_001)
  }
})
