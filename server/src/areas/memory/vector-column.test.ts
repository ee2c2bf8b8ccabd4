import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
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

const WIDE = 384
const GROUPS = 400

/** Vectors in groups, as texts about the same things have them, or in none: the same every time. */
function madeUp(groups = GROUPS) {
  let state = 1
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
  const vector = () => Float32Array.from({ length: WIDE }, () => random() + random())
  const centres = Array.from({ length: groups }, vector)
  return (group: number) => {
    const centre = centres[group % groups]
    const made = vector().map((value, i) => value + (centre?.[i] ?? 0))
    const norm = Math.hypot(...made)
    return made.map((value) => value / norm)
  }
}

/** The keys of the nearest ten of those that are admitted, by a comparison with each. */
function nearestTen(held: Map<string, Float32Array>, query: Float32Array, admits: (key: string) => boolean): string[] {
  const cosine = (vector: Float32Array) => vector.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0)
  return [...held]
    .filter(([key]) => admits(key))
    .map(([key, vector]) => ({ key, near: cosine(vector) }))
    .sort((a, b) => b.near - a.near)
    .slice(0, 10)
    .map(({ key }) => key)
}

describe('of many vectors', () => {
  const inGroup = madeUp()
  const column = new VectorColumn(WIDE)
  const held = new Map<string, Float32Array>()
  const put = (key: string, group: number) => {
    const vector = inGroup(group)
    held.set(key, vector)
    column.put(key, 0, vector)
  }

  beforeAll(() => {
    for (let i = 0; i < 24_000; i++) put(`k${i}`, i)
    for (let i = 0; i < 6_000; i += 3) {
      column.remove(`k${i}`)
      held.delete(`k${i}`)
    }
    for (let i = 7_000; i < 9_000; i++) put(`k${i}`, 9_000 - i)
  }, 120_000)

  /** How many of the nearest ten are found for twenty queries. */
  async function recall(admits: (key: string) => boolean, among?: string[]): Promise<number> {
    let found = 0
    for (let i = 0; i < 20; i++) {
      const query = inGroup(i)
      const cosines = await column.nearest(query, { admits, among, count: 10, also: [] })
      found += nearestTen(held, query, admits).filter((key) => cosines.has(key)).length
    }
    return found / 200
  }
  const oneIn = (part: number) => (key: string) => Number(key.slice(1)) % part === 1

  test('95 of 100 nearest are found at least', async () => {
    expect(await recall(() => true)).toBeGreaterThanOrEqual(0.95)
    expect(await recall(oneIn(2))).toBeGreaterThanOrEqual(0.95)
  }, 120_000)

  test('95 of 100 nearest are found even of vectors that have nothing in common', async () => {
    const random = madeUp(0)
    const unlike = new VectorColumn(WIDE)
    const all = new Map(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, random(0)]))
    for (const [key, vector] of all) unlike.put(key, 0, vector)
    let found = 0
    for (let i = 0; i < 20; i++) {
      const query = random(0)
      const cosines = await unlike.nearest(query, { admits: () => true, count: 10, also: [] })
      found += nearestTen(all, query, () => true).filter((key) => cosines.has(key)).length
    }
    expect(found / 200).toBeGreaterThanOrEqual(0.95)
  }, 120_000)

  test('all nearest are found where few are admitted, known beforehand or not, however far they are', async () => {
    const others = (key: string) => Number(key.slice(1)) % GROUPS > 395
    expect(await recall(others)).toBe(1)
    expect(await recall(oneIn(50), [...held.keys()].filter(oneIn(50)))).toBe(1)
  }, 120_000)

  test('what is removed meanwhile is not found', async () => {
    const small = new VectorColumn(2, 16)
    for (let i = 0; i < 9_000; i++) small.put(`k${i}`, i, Float32Array.of((i + 1) / 9_000, 0))
    const gone = new Set<string>()
    const comparing = small.nearest(Float32Array.of(1, 0), { admits: (key) => !gone.has(key), count: 5, also: [] })
    for (let i = 8_999; i > 0; i -= 2) {
      await turn()
      gone.add(`k${i}`)
      small.remove(`k${i}`)
    }
    for (const key of (await comparing).keys()) expect(gone).not.toContain(key)
    const found = await small.nearest(Float32Array.of(1, 0), { admits: (key) => !gone.has(key), count: 2, also: [] })
    expect([...found.keys()].sort()).toEqual(['k8996', 'k8998'])
  })
})
