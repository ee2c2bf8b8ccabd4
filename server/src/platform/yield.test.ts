import { expect, test } from 'vitest'
import { mapInTurns } from './yield.ts'

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
