import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { piecewise } from './meanwhile.ts'

test('pieces of a list are worked on in their order, at most two at a time', async () => {
  const pieces: (readonly number[])[] = []
  let underWay = 0
  let most = 0
  await piecewise([1, 2, 3, 4, 5, 6, 7], 2, async (piece) => {
    pieces.push(piece)
    most = Math.max(most, ++underWay)
    await delay(5)
    underWay--
  })
  expect(pieces).toEqual([[1, 2], [3, 4], [5, 6], [7]])
  expect([most, underWay]).toEqual([2, 0])
})

test('a piece that fails ends the work, when the pieces under way have ended', async () => {
  const ended: number[] = []
  const done = piecewise([1, 2, 3, 4, 5], 1, async (piece) => {
    await delay(5)
    ended.push(...piece)
    if (piece[0] === 2) throw new Error('second')
  })
  await expect(done).rejects.toThrow('second')
  const atEnd = [...ended]
  await delay(20)
  expect(ended).toEqual(atEnd)
  expect(ended).not.toContain(5)
})
