import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { keyOf } from '../../../platform/id.ts'
import { yieldToEventLoop } from '../../../platform/turns/yield.ts'
import { JudgmentTable } from '../lexical/judgment-table.ts'
import { VectorColumn } from './vector-column.ts'

const DIMENSIONS = 6
const k = (i: number) => keyOf(`k${i}`)
const key = fc.integer({ min: 0, max: 30 }).map(k)
const vector = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((values) => Float32Array.from(values, (value) => value / 50))
const step = fc.oneof(fc.record({ key, vector }), fc.record({ key, vector: fc.constant(undefined) }))

/** A search of the column, aligned with a table of the keys, with a filter of the test. */
function search(column: VectorColumn, keys: Iterable<string>, isListed = false) {
  const table = new JudgmentTable()
  for (const key of keys) {
    const none = { organization: null, document: null, contentType: null, reviewerId: null }
    table.add({ key, decision: 'approve', judgeType: 'human', createdAt: 0, ...none })
  }
  return (query: Float32Array, admits: (key: string) => boolean, count: number, also: string[] = []) => {
    let isAligned = column.align(table)
    while (!isAligned) isAligned = column.align(table)
    const flags = Uint8Array.from({ length: table.count }, (_, row) => (admits(table.keyAt(row)) ? 1 : 0))
    // The latest first, as filters that list their rows do.
    const listed = isListed && {
      rows: Uint32Array.from(flags.keys())
        .filter((row) => flags[row] === 1)
        .reverse(),
    }
    return column.nearest(query, { filter: { flags, count: 0, ...listed }, count, also })
  }
}

test('the nearest are those of a comparison with every vector that was put and not removed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 120 }),
      vector,
      fc.integer({ min: 1, max: 40 }),
      fc.nat({ max: 120 }),
      fc.boolean(),
      async (steps, query, count, early, isListed) => {
        const column = new VectorColumn(DIMENSIONS, 4)
        const names = Array.from({ length: 31 }, (_, i) => k(i))
        // Another table, with its rows in another order.
        await search(column, names.toReversed())(query, () => true, 1)
        const nearest = search(column, names, isListed)
        const held = new Map<string, Float32Array>()
        for (const [number, { key: name, vector: values }] of steps.entries()) {
          // From then on, rows are known whose keys come and go.
          if (number === early) await nearest(query, () => true, 1)
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
        const found = await nearest(query, isAdmitted, count, [k(0), keyOf('none')])
        const admitted = expected.filter(({ name }) => isAdmitted(name)).slice(0, count)
        const others = expected.filter(({ name }) => name === k(0))
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
  for (let i = 0; i < 9; i++) column.put(k(i), i, Float32Array.of(i / 10, 0))
  const admitted = new Set([k(5), k(6), k(7)])
  const nearest = search(column, [k(9), ...Array.from({ length: 9 }, (_, i) => k(8 - i))])
  const comparing = nearest(Float32Array.of(1, 0), (key) => admitted.has(key), 2)
  await yieldToEventLoop()
  column.remove(k(1))
  column.put(k(9), 9, Float32Array.of(0.9, 0))
  column.remove(k(7))
  const found = [...(await comparing).keys()]
  expect(found).not.toContain(k(7))
  for (const key of found) expect(admitted).toContain(key)
  const later = await nearest(Float32Array.of(1, 0), (key) => admitted.has(key), 2)
  expect([...later.keys()].sort()).toEqual([k(5), k(6)].sort())
})

test('while vectors are compared, those of other keys are removed and replaced, and all nearest are found', async () => {
  const column = new VectorColumn(2, 2)
  for (let i = 0; i < 9; i++) column.put(k(i), i, Float32Array.of(i / 10, 0))
  const names = Array.from({ length: 9 }, (_, i) => k(i))
  const comparing = search(column, names)(Float32Array.of(1, 0), () => true, 3)
  // The first two have been compared, the last has not.
  await yieldToEventLoop()
  column.remove(k(0))
  column.put(k(1), 9, Float32Array.of(0.9, 0))
  column.put(keyOf('other'), 10, Float32Array.of(1, 0))
  const found = await comparing
  expect([...found.keys()].sort()).toEqual([k(1), k(6), k(7), k(8)].sort())
  expect(found.get(k(1))).toBeCloseTo(0.9, 5)
  expect(found.get(k(8))).toBeCloseTo(0.8, 5)
})

test('keys are admitted by their rows in the present table, whenever they got their vectors', async () => {
  const column = new VectorColumn(2, 2)
  for (let i = 0; i < 9; i++) column.put(k(i), i, Float32Array.of(i / 10, 0))
  const query = Float32Array.of(1, 0)
  const keysOf = async (found: Promise<Map<string, number>>) => [...(await found).keys()].sort()
  const first = search(column, [k(8), k(1), k(2), k(3), keyOf('other')])
  expect(await keysOf(first(query, () => true, 3))).toEqual([k(2), k(3), k(8)].sort())
  const second = search(column, [keyOf('other'), k(5), k(4), k(3)])
  expect(await keysOf(second(query, (key) => key !== k(5), 3))).toEqual([k(3), k(4)].sort())
  column.put(keyOf('other'), 9, Float32Array.of(1, 0))
  expect(await keysOf(second(query, () => true, 2))).toEqual([k(5), keyOf('other')].sort())
})

const WIDE = 384
const GROUPS = 400

/** Vectors in groups, like texts about the same things, or in none; the same every time. */
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

/** The keys of the nearest ten admitted vectors, by comparing each. */
function nearestTen(held: Map<string, Float32Array>, query: Float32Array, admits: (key: string) => boolean): string[] {
  const cosine = (vector: Float32Array) => {
    let sum = 0
    for (let i = 0; i < vector.length; i++) sum += (vector[i] ?? 0) * (query[i] ?? 0)
    return sum
  }
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
    for (let i = 0; i < 24_000; i++) put(k(i), i)
    for (let i = 0; i < 6_000; i += 3) {
      column.remove(k(i))
      held.delete(k(i))
    }
    for (let i = 7_000; i < 9_000; i++) put(k(i), 9_000 - i)
  }, 120_000)

  /** How many of the nearest ten are found for twenty queries. */
  async function recall(admits: (key: string) => boolean): Promise<number> {
    const nearest = search(column, held.keys())
    let found = 0
    for (let i = 0; i < 20; i++) {
      const query = inGroup(i)
      const cosines = await nearest(query, admits, 10)
      found += nearestTen(held, query, admits).filter((key) => cosines.has(key)).length
    }
    return found / 200
  }
  const numbers = new Map(Array.from({ length: 24_000 }, (_, i) => [k(i), i]))
  const numberOf = (key: string) => numbers.get(key) ?? 0
  const oneIn = (part: number) => (key: string) => numberOf(key) % part === 1

  test('95 of 100 nearest are found at least', async () => {
    expect(await recall(() => true)).toBeGreaterThanOrEqual(0.95)
    expect(await recall(oneIn(2))).toBeGreaterThanOrEqual(0.95)
  }, 120_000)

  test('95 of 100 nearest are found even of vectors that have nothing in common', async () => {
    const random = madeUp(0)
    const unlike = new VectorColumn(WIDE)
    const all = new Map(Array.from({ length: 20_000 }, (_, i) => [k(i), random(0)]))
    for (const [key, vector] of all) unlike.put(key, 0, vector)
    const nearest = search(unlike, all.keys())
    let found = 0
    for (let i = 0; i < 20; i++) {
      const query = random(0)
      const cosines = await nearest(query, () => true, 10)
      found += nearestTen(all, query, () => true).filter((key) => cosines.has(key)).length
    }
    expect(found / 200).toBeGreaterThanOrEqual(0.95)
  }, 120_000)

  test('all nearest are found where few are admitted, however far they are', async () => {
    expect(await recall((key) => numberOf(key) % GROUPS > 395)).toBe(1)
    expect(await recall(oneIn(50))).toBe(1)
  }, 120_000)

  test('what is removed meanwhile is not found', async () => {
    const small = new VectorColumn(2, 16)
    for (let i = 0; i < 9_000; i++) small.put(k(i), i, Float32Array.of((i + 1) / 9_000, 0))
    const gone = new Set<string>()
    const nearest = search(
      small,
      Array.from({ length: 9_000 }, (_, i) => k(i)),
    )
    const comparing = nearest(Float32Array.of(1, 0), (key) => !gone.has(key), 5)
    for (let i = 8_999; i > 0; i -= 2) {
      await yieldToEventLoop()
      gone.add(k(i))
      small.remove(k(i))
    }
    for (const key of (await comparing).keys()) expect(gone).not.toContain(key)
    const found = await nearest(Float32Array.of(1, 0), (key) => !gone.has(key), 2)
    expect([...found.keys()].sort()).toEqual([k(8996), k(8998)].sort())
  })
})
