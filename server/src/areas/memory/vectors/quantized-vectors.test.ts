import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceTables, QuantizedVectors } from './quantized-vectors.ts'

const ROOM = 48
const vectors = fc.integer({ min: 1, max: 2000 }).chain((dimensions) =>
  fc.array(fc.float32Array({ minLength: dimensions, maxLength: dimensions, noNaN: true, min: -9, max: 9 }), {
    minLength: 2,
    maxLength: 40,
  }),
)

function unit(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value ** 2, 0)) || 1
  return vector.map((value) => value / norm)
}

/** The value that four levels keep of an element, in units of the standard deviation. */
function coarse(value: number, dimensions: number): number {
  const size = Math.abs(value) > 0.9816 / Math.sqrt(dimensions) ? 1.51 : 0.4528
  return value > 0 ? size : -size
}

const product = (query: Float32Array, vector: Float32Array | number[]) =>
  query.reduce((sum, value, i) => sum + value * (vector[i] ?? 0), 0)

test('distances fall as the product of the query and the coarse vector rises, whichever places are measured', () => {
  fc.assert(
    fc.property(vectors, fc.nat(), (each, number) => {
      const [query = new Float32Array(), ...others] = each.map(unit)
      const { length } = query
      const held = new QuantizedVectors(length)
      for (const [place, vector] of others.entries()) held.put(place, vector)
      const replaced = number % others.length
      held.put(replaced, query)
      const kept = others.with(replaced, query)
      const tables = distanceTables(query)
      const whole = new Uint16Array(ROOM)
      held.measure(tables, 0, kept.length, whole)
      const products = kept.map((vector) =>
        product(
          query,
          Array.from(vector, (value) => coarse(value, length)),
        ),
      )
      const most = 1.51 * query.reduce((sum, value) => sum + Math.abs(value), 0)
      // The distance per unit of the dot product, by the table with the largest sum.
      const sizes = Array.from(
        { length: Math.ceil(length / 2) },
        (_, i) => Math.abs(query[2 * i] ?? 0) + Math.abs(query[2 * i + 1] ?? 0),
      )
      const scale = Math.min(127 / (Math.max(...sizes) || 1), 56_000 / (most / 1.51 || 1)) / 3.02
      for (const [place, near] of products.entries()) {
        // The table entry of each two elements is rounded by at most one half.
        expect(Math.abs((whole[place] ?? 0) - scale * (most - near))).toBeLessThanOrEqual(length / 4 + 1)
      }
      const parts = new Uint16Array(ROOM)
      for (let from = 0; from < kept.length; from += 16) {
        held.measure(tables, from, Math.min(from + 16, kept.length), parts)
      }
      expect([...parts.subarray(0, kept.length)]).toEqual([...whole.subarray(0, kept.length)])
    }),
  )
})

test('distances of the longest vectors do not overflow', () => {
  const query = unit(new Float32Array(16_000).fill(1))
  const held = new QuantizedVectors(query.length)
  for (let place = 0; place < 40; place++) {
    held.put(
      place,
      query.map((value, i) => (i < 400 * place ? -2 : 2) * value),
    )
  }
  const distances = new Uint16Array(ROOM)
  held.measure(distanceTables(query), 0, 40, distances)
  for (let place = 1; place < 40; place++) expect(distances[place]).toBeGreaterThan(distances[place - 1] ?? 0)
})
