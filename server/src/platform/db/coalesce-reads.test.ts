import { expect, test, vi } from 'vitest'
import { coalesceReads } from './coalesce-reads.ts'

interface Reading {
  key: string
  requests: number[]
  /** Answers each request with this and its number. */
  end: (value: string) => void
  fail: (error: Error) => void
}

/** Reads that end when the test ends them. */
function controlled(most?: number) {
  const begun: Reading[] = []
  const read = (key: string, requests: number[]) =>
    new Promise<string[]>((resolve, fail) => {
      begun.push({ key, requests, end: (value) => resolve(requests.map((request) => `${value} ${request}`)), fail })
    })
  const reading = (number: number) =>
    vi.waitFor(() => {
      const found = begun[number]
      if (!found) throw new Error(`There is no reading ${number} yet.`)
      return found
    })
  return { begun, reading, ask: coalesceReads(read, most) }
}

test('who calls while a reading is under way is answered by the next one, together with others', async () => {
  const { begun, reading, ask } = controlled()
  const first = ask('a', 1)
  const others = Promise.all([ask('a', 2), ask('a', 3)])
  expect(begun).toHaveLength(1)
  begun[0]?.end('before')
  expect(await first).toBe('before 1')
  const next = await reading(1)
  const last = ask('a', 4)
  next.end('after')
  expect(await others).toEqual(['after 2', 'after 3'])
  ;(await reading(2)).end('later')
  expect(await last).toBe('later 4')
  expect(begun.map(({ requests }) => requests)).toEqual([[1], [2, 3], [4]])
})

test('readings of different keys do not wait for each other', async () => {
  const { begun, ask } = controlled()
  const [a, b] = [ask('a', 1), ask('b', 2)]
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b'])
  begun[1]?.end('b')
  expect(await b).toBe('b 2')
  begun[0]?.end('a')
  expect(await a).toBe('a 1')
})

test('a reading that fails fails those who share it, and no other', async () => {
  const { begun, reading, ask } = controlled()
  const first = ask('a', 1)
  const second = ask('a', 2)
  begun[0]?.fail(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  ;(await reading(1)).end('back')
  expect(await second).toBe('back 2')
})

test('more requests than one reading answers are read in turn', async () => {
  const { begun, reading, ask } = controlled(2)
  const answers = Promise.all([1, 2, 3, 4].map((request) => ask('a', request)))
  for (const number of [0, 1, 2]) (await reading(number)).end('read')
  expect(await answers).toEqual(['read 1', 'read 2', 'read 3', 'read 4'])
  expect(begun.map(({ requests }) => requests)).toEqual([[1], [2, 3], [4]])
})

test('a key that was read is read anew', async () => {
  const { reading, ask } = controlled()
  for (const number of [0, 1]) {
    const answer = ask('a', number)
    ;(await reading(number)).end('read')
    expect(await answer).toBe(`read ${number}`)
  }
})
