import { expect, test } from 'vitest'
import { VectorPages } from './vector-pages.ts'

test('vectors are where they were put, and room for one more is small beside many', () => {
  const vectors = new VectorPages(8)
  for (let place = 0; place < 1_000; place++) vectors.put(place, Float32Array.of(place, 1))
  vectors.put(300, Float32Array.of(-1, 2))
  const read = (place: number) => {
    const target = new Float32Array(12)
    vectors.copy(place, target, 2)
    return [...target.subarray(0, 5)]
  }
  expect(read(0)).toEqual([0, 0, 0, 1, 0])
  expect(read(999)).toEqual([0, 0, 999, 1, 0])
  expect(read(300)).toEqual([0, 0, -1, 2, 0])
  expect(read(998)).toEqual([0, 0, 998, 1, 0])
  expect(vectors.bytes).toBeLessThan(1.3 * 1_000 * 8 * 4)
})

test('few vectors take little', () => {
  const vectors = new VectorPages(8)
  vectors.put(0, new Float32Array(8))
  expect(vectors.bytes).toBeLessThanOrEqual(64 * 4)
})
