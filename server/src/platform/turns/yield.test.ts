import { expect, test } from 'vitest'
import { mapInTurns, ownTurn, restAfter } from './yield.ts'

const work = (ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('a list whose items take long is mapped in its order, and other work runs between them', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const mapped = await mapInTurns([1, 2, 3, 4], (item) => {
    work(12)
    return item * 10
  })
  clearInterval(timer)
  expect(mapped).toEqual([10, 20, 30, 40])
  expect(turns).toBeGreaterThan(2)
})

test('of those that wait for a turn of their own, one goes on in each turn of the event loop, in their order', async () => {
  const turnOf: number[] = []
  let turn = 0
  const count = () => {
    turn++
    if (turnOf.length < 4) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(
    [0, 1, 2, 3].map(async (place) => {
      await ownTurn()
      turnOf[place] = turn
    }),
  )
  expect(turnOf).toEqual([1, 2, 3, 4].map((each) => each + (turnOf[0] ?? 0) - 1))
})

test('steps that rested equally long go on in turns of their own', async () => {
  let turn = 0
  let isOver = false
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const turns = await Promise.all(
    Array.from({ length: 5 }, async () => {
      await restAfter(performance.now() - 20)
      return turn
    }),
  )
  isOver = true
  expect(new Set(turns).size).toBe(5)
})
