import { expect, test } from 'vitest'
import { TurnQueue } from './turn-queue.ts'

/** Lets all wait, and each take so many milliseconds; returns who came when. */
function orderOf(waiting: { owner: string | null; name: string; ms?: number }[]): string[] {
  const queue = new TurnQueue()
  const begun: string[] = []
  for (const { owner, name, ms = 0 } of waiting) {
    queue.push(owner, () => {
      begun.push(name)
      if (owner !== null) queue.charge(owner, ms)
    })
  }
  for (let begin = queue.shift(); begin; begin = queue.shift()) begin()
  expect(queue.length).toBe(0)
  return begun
}

test('many short ones of an owner come before the next long one of another', () => {
  const long = [1, 2, 3].map((n) => ({ owner: 'long', name: `long ${n}`, ms: 1_000 }))
  const short = [1, 2, 3].map((n) => ({ owner: 'short', name: `short ${n}`, ms: 10 }))
  expect(orderOf([...long, ...short])).toEqual(['long 1', 'short 1', 'short 2', 'short 3', 'long 2', 'long 3'])
})

test('owners who take the same time take turns; of an owner, the first comes first', () => {
  const of = (owner: string) => [1, 2].map((n) => ({ owner, name: `${owner}${n}`, ms: 5 }))
  expect(orderOf([...of('a'), ...of('b'), ...of('c')])).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
})

test('what has no owner lets others pass for 20 ms, then goes before all', () => {
  let now = 0
  const queue = new TurnQueue(() => now)
  const begun: string[] = []
  const wait = (owner: string | null, name: string) => queue.push(owner, () => begun.push(name))
  wait('a', 'a1')
  wait(null, 'check 1')
  now = 10
  wait(null, 'check 2')
  wait('a', 'a2')
  wait('a', 'a3')
  for (now of [19, 20, 21, 30]) queue.shift()?.()
  expect(begun).toEqual(['a1', 'check 1', 'a2', 'check 2'])
})

test('what has no owner goes at once where nobody else waits', () => {
  expect(orderOf([{ owner: null, name: 'check' }])).toEqual(['check'])
})

test('who comes later has saved no time up', () => {
  const queue = new TurnQueue()
  const begun: string[] = []
  const wait = (owner: string, ms: number) =>
    queue.push(owner, () => {
      begun.push(owner)
      queue.charge(owner, ms)
    })
  for (let n = 0; n < 6; n++) wait('old', 100)
  for (let n = 0; n < 3; n++) queue.shift()?.()
  for (let n = 0; n < 3; n++) wait('new', 100)
  for (let begin = queue.shift(); begin; begin = queue.shift()) begin()
  expect(begun.slice(3)).toEqual(['new', 'old', 'new', 'old', 'new', 'old'])
})
