import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SignBits, signsOf } from './sign-bits.ts'

const vectors = fc.integer({ min: 1, max: 2000 }).chain((dimensions) =>
  fc.array(fc.float32Array({ minLength: dimensions, maxLength: dimensions, noNaN: true }), {
    minLength: 2,
    maxLength: 5,
  }),
)

test('the distance is in how many elements the signs differ, whichever places are measured', () => {
  fc.assert(
    fc.property(vectors, (each) => {
      const [query = new Float32Array(), ...others] = each
      const held = new SignBits(query.length)
      for (const [place, vector] of others.entries()) held.put(place, vector)
      held.put(others.length, query)
      held.move(others.length, 0)
      const kept = [query, ...others.slice(1)]
      const wanted = kept.map((vector) => vector.filter((value, i) => value > 0 !== (query[i] ?? 0) > 0).length)
      const distances = new Uint16Array(kept.length)
      const to = kept.length
      held.measure(signsOf(query), { places: undefined, from: 0, to }, distances)
      expect([...distances]).toEqual(wanted)
      const places = Uint32Array.from(kept.keys()).reverse()
      held.measure(signsOf(query), { places, from: 0, to }, distances)
      expect([...distances]).toEqual(wanted.toReversed())
    }),
  )
})
