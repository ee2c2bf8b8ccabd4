import fc from 'fast-check'
import { expect, test } from 'vitest'
import { turn } from '../../platform/turn.ts'
import { VectorColumn } from './vector-column.ts'

const DIMENSIONS = 6
const key = fc.integer({ min: 0, max: 30 }).map((i) => `k${i}`)
const vector = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((values) => Float32Array.from(values, (value) => value / 50))
const step = fc.oneof(fc.record({ key, vector }), fc.record({ key, vector: fc.constant(undefined) }))

test('the nearest are those of a comparison with every vector that was put and not removed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 120 }),
      vector,
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      async (steps, query, count, isFew) => {
        const column = new VectorColumn(DIMENSIONS, 4)
        const held = new Map<string, Float32Array>()
        for (const [number, { key: name, vector: values }] of steps.entries()) {
          if (values) {
            column.put(name, number, values)
            held.set(name, values)
          } else {
            column.remove(name)
            held.delete(name)
          }
        }
        const isAdmitted = (name: string) => Number(name.slice(1)) % 3 > 0
        const expected = [...held]
          .map(([name, values]) => ({
            name,
            cosine: values.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0),
          }))
          .sort((a, b) => b.cosine - a.cosine)
        const among = isFew ? [...held.keys(), 'none'].filter(isAdmitted) : undefined
        const found = await column.nearest(query, { admits: isAdmitted, among, count, also: ['k0', 'none'] })
        const admitted = expected.filter(({ name }) => isAdmitted(name)).slice(0, count)
        const others = expected.filter(({ name }) => name === 'k0')
        expect(found.size).toBe(admitted.length + others.length)
        const cosines = [...found.values()].sort((a, b) => b - a)
        const wanted = [...admitted, ...others].map(({ cosine }) => cosine).sort((a, b) => b - a)
        for (const [i, cosine] of cosines.entries()) expect(cosine).toBeCloseTo(wanted[i] ?? Number.NaN, 5)
        for (const name of found.keys()) expect(held.has(name)).toBe(true)
      },
    ),
  )
})

test('what is put and removed while vectors are compared does no harm', async () => {
  const column = new VectorColumn(2, 2)
  for (let i = 0; i < 9; i++) column.put(`k${i}`, i, Float32Array.of(i / 10, 0))
  const admitted = new Set(['k5', 'k6', 'k7'])
  const comparing = column.nearest(Float32Array.of(1, 0), { admits: (key) => admitted.has(key), count: 2, also: [] })
  await turn()
  await turn()
  column.remove('k1')
  column.put('k9', 9, Float32Array.of(0.9, 0))
  column.remove('k7')
  for (const key of (await comparing).keys()) expect(admitted).toContain(key)
  const found = await column.nearest(Float32Array.of(1, 0), { admits: (key) => admitted.has(key), count: 2, also: [] })
  expect([...found.keys()].sort()).toEqual(['k5', 'k6'])
})
