import { expect, test } from 'vitest'
import { MadeLate } from '../operation.ts'
import { type JsonAnswer, jsonAnswer } from './json-answer.ts'

async function textOf(answer: JsonAnswer): Promise<string> {
  if (typeof answer === 'string') return answer
  let text = ''
  for await (const chunk of answer.chunks) text += chunk
  return text
}

test.each([
  ['no list', { status: 'success', data: { a: [] } }],
  ['an empty list', { status: 'success', data: [], pageToken: null }],
  ['a short list', { data: [1, 2, 3], pageToken: 'x' }],
  [
    'a long list of small items',
    { message: '"data":[]', data: Array.from({ length: 300 }, (_, n) => ({ n })), next: 'y' },
  ],
  ['items without a JSON value', { data: Array.from({ length: 60 }, () => undefined) }],
  [
    'a large item',
    { data: [{ a: 'x'.repeat(300_000), b: undefined, c: [undefined, { d: null }], '"e"': 'é'.repeat(40_000) }] },
  ],
  ['a large map', { data: Object.fromEntries(Array.from({ length: 99 }, (_, n) => [n, ['y'.repeat(9_000)]])) }],
  [
    'small and large items in turn',
    { data: Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? 'z'.repeat(40_000) : { n, text: 'y'.repeat(9_000) })) },
  ],
  ['a large list', { data: Array.from({ length: 500 }, (_, n) => ({ n, text: 'é'.repeat(3_000) })), pageToken: null }],
])('writes %s as JSON.stringify does', async (_name, result) => {
  expect(JSON.parse(await textOf(await jsonAnswer(result)))).toEqual(JSON.parse(JSON.stringify({ result })))
})

test('a large list is written in pieces, a small one as a whole', async () => {
  expect(typeof (await jsonAnswer({ data: Array.from({ length: 60 }, () => 'small') }))).toBe('string')
  const large = await jsonAnswer({ data: Array.from({ length: 100 }, () => 'x'.repeat(10_000)) })
  expect(large).toMatchObject({ estimatedBytes: expect.closeTo(1_000_000, -5) })
})

test('a list that is read in batches is written as one list', async () => {
  async function* batches() {
    yield [1, 2]
    yield []
    yield [{ text: 'x'.repeat(300_000) }, 4]
    yield [5]
  }
  const answer = await jsonAnswer({ status: 'success', data: batches(), pageToken: null })
  expect(JSON.parse(await textOf(answer))).toEqual({
    result: { status: 'success', data: [1, 2, { text: 'x'.repeat(300_000) }, 4, 5], pageToken: null },
  })
})

/** An item of a list, or a tree of them. It counts how many were made. */
class Item extends MadeLate<object> {
  static made = 0
  readonly #below: Item[]

  constructor(below: Item[] = []) {
    super()
    this.#below = below
  }

  get estimatedBytes(): number {
    return this.#below.reduce((sum, { estimatedBytes }) => sum + estimatedBytes, 320)
  }

  toJSON(): object {
    Item.made++
    return { text: 'x'.repeat(300), below: this.#below }
  }
}

const items = (count: number, below: () => Item[] = () => []) => Array.from({ length: count }, () => new Item(below()))

test.each([
  ['a list of 10,000', items(10_000)],
  ['a tree of 10,100', items(100, () => items(100))],
  ['a tree of three levels', items(10, () => items(30, () => items(30)))],
])('of %s, no piece makes more items than it holds', async (_name, data) => {
  const expected = JSON.stringify({ result: { data, next: null } })
  const answer = await jsonAnswer({ data, next: null })
  if (typeof answer === 'string') throw new Error('It is written as a whole.')
  expect(Math.abs(answer.estimatedBytes - expected.length)).toBeLessThan(expected.length / 5)
  let text = ''
  let most = 0
  Item.made = 0
  for await (const chunk of answer.chunks) {
    text += chunk
    most = Math.max(most, Item.made)
    Item.made = 0
  }
  expect(text === expected).toBe(true)
  expect(most).toBeGreaterThan(0)
  // A piece has 256 KiB, and at most one part of 32 KiB more.
  expect(most).toBeLessThan((288 * 1024) / 320)
})

test('a small answer holds what is made late', async () => {
  expect(await jsonAnswer({ data: items(2) })).toBe(JSON.stringify({ result: { data: items(2) } }))
})
