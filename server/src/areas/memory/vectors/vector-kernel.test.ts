import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_DIMENSIONS } from '../../../platform/embedder/embedder.ts'
import { paddedLength, productsWith, sumsBy } from './vector-kernel.ts'

const element = fc.integer({ min: -99, max: 99 }).map((value) => value / 100)

/** Vectors of equal length, one after the other. */
const vectorsOf = (length: number, values: Float32Array) => ({
  copy: (place: number, target: Float32Array, at: number) =>
    target.set(values.subarray(place * length, (place + 1) * length), at),
})

test('products are the sums of the products of the elements, in the order of the places', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 700 }).map(paddedLength),
      fc.array(element, { minLength: 700, maxLength: 700 }),
      fc.array(fc.integer({ min: 0, max: 19 }), { maxLength: 600 }),
      (length, elements, places) => {
        const query = Float32Array.from({ length }, (_, i) => elements[(7 * i) % 700] ?? 0)
        const values = Float32Array.from({ length: 20 * length }, (_, i) => elements[(11 * i) % 700] ?? 0)
        const products = productsWith(query, vectorsOf(length, values), Uint32Array.from(places))
        const wanted = places.map((place) =>
          query.reduce((sum, value, i) => sum + value * (values[place * length + i] ?? 0), 0),
        )
        expect(products).toHaveLength(places.length)
        for (const [i, product] of products.entries()) expect(product).toBeCloseTo(wanted[i] ?? Number.NaN, 3)
      },
    ),
  )
})

test('vectors of the most elements have their room', () => {
  const ones = new Float32Array(MAX_DIMENSIONS).fill(1)
  const twos = vectorsOf(MAX_DIMENSIONS, new Float32Array(3 * MAX_DIMENSIONS).fill(2))
  expect([...productsWith(ones, twos, Uint32Array.of(2, 0, 1))]).toEqual(Array(3).fill(2 * MAX_DIMENSIONS))
})

test('sums are what the tables say of each half of each byte; other blocks are left alone', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 200 }),
      fc.nat({ max: 200 }),
      fc.infiniteStream(fc.nat({ max: 255 })),
      (length, count, skipped, random) => {
        const next = () => random.next().value as number
        const tables = Uint8Array.from({ length: 32 * length }, () => next() >> 1)
        const blocks = Uint8Array.from({ length: 16 * length * count }, next)
        const from = Math.min(skipped, count - 1)
        const sums = new Uint16Array(16 * count).fill(7)
        sumsBy(tables, blocks, [from, count], sums)
        for (let place = 0; place < 16 * count; place++) {
          let wanted = 0
          for (let byte = 0; byte < length; byte++) {
            const each = blocks[16 * (Math.floor(place / 16) * length + byte) + (place % 16)] ?? 0
            wanted += (tables[32 * byte + (each & 15)] ?? 0) + (tables[32 * byte + 16 + (each >> 4)] ?? 0)
          }
          if (sums[place] !== (place < 16 * from ? 7 : wanted)) expect([place, sums[place]]).toEqual([place, wanted])
        }
      },
    ),
    { numRuns: 40 },
  )
})
