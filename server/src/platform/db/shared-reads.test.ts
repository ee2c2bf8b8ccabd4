import { expect, test } from 'vitest'
import { sharedReads } from './shared-reads.ts'

/** Reads that end when they are told to. */
function controlled() {
  const begun: { key: string; end: (value: string) => void; fail: (error: Error) => void }[] = []
  const read = (key: string) =>
    new Promise<string>((end, fail) => {
      begun.push({ key, end, fail })
    })
  return { begun, share: sharedReads(read) }
}

test('who calls while a reading is under way is answered by the next one, together with others', async () => {
  const { begun, share } = controlled()
  const first = share('a')
  const [second, third] = [share('a'), share('a')]
  begun[0]?.end('before')
  expect(await first).toBe('before')
  expect(begun).toHaveLength(2)
  const fourth = share('a')
  begun[1]?.end('after')
  expect(await Promise.all([second, third])).toEqual(['after', 'after'])
  expect(begun).toHaveLength(3)
  begun[2]?.end('later')
  expect(await fourth).toBe('later')
})

test('readings of different keys do not wait for each other', async () => {
  const { begun, share } = controlled()
  const [a, b] = [share('a'), share('b')]
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b'])
  begun[1]?.end('b')
  expect(await b).toBe('b')
  begun[0]?.end('a')
  expect(await a).toBe('a')
})

test('a reading that fails fails those who share it, and no other', async () => {
  const { begun, share } = controlled()
  const first = share('a')
  const second = share('a')
  begun[0]?.fail(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  expect(begun).toHaveLength(2)
  begun[1]?.end('back')
  expect(await second).toBe('back')
})
