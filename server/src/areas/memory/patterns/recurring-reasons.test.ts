import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { recurringReasons } from './recurring-reasons.ts'

const ALL = { support: 3, most: 100 }

test('phrases of common words are no reason', async () => {
  expect(await recurringReasons(['This is very good.', 'This is very good.', 'This is very good.'], ALL)).toEqual([])
})

test('a sentence of one word counts, and what turns the sense does too', async () => {
  const texts = ['Spam.', 'Spam!', 'Spam?', 'No budget.', 'There is no budget.', 'Sorry, no budget']
  expect(await recurringReasons(texts, ALL)).toMatchObject([
    { sentence: 'No budget.', texts: [3, 4, 5] },
    { sentence: 'Spam.', texts: [0, 1, 2] },
  ])
})

test('what both sides speak of is stated by the texts of each, and counted for both', async () => {
  const texts = [
    ...Array.from({ length: 4 }, () => 'The detailed budget is convincing.'),
    ...Array.from({ length: 3 }, () => 'The detailed budget is missing.'),
  ]
  const shared = new Map(Object.entries({ yes: 4, no: 3 }))
  expect(await recurringReasons(texts, { ...ALL, sideOf: (text) => (text < 4 ? 'yes' : 'no') })).toEqual([
    { sentence: 'The detailed budget is convincing.', texts: [0, 1, 2, 3], shared },
    { sentence: 'The detailed budget is missing.', texts: [4, 5, 6], shared },
  ])
})

test('a sentence that both sides say is a reason of the one that says it more often', async () => {
  const texts = Array.from({ length: 7 }, (_, i) =>
    i % 2 ? 'The detailed budget is here.' : 'Detailed budget is here',
  )
  const reasons = await recurringReasons(texts, { ...ALL, sideOf: (text) => (text < 3 ? 'no' : 'yes') })
  expect(reasons.map(({ texts }) => texts)).toEqual([[3, 4, 5, 6]])
})

test('the sentence of a reason says what most of its texts say, not what one adds to it', async () => {
  const texts = [
    'The unicorn of Cardano ecosystem.',
    ...Array.from({ length: 4 }, () => 'It brings developers to the Cardano ecosystem and wallets.'),
  ]
  const [reason] = await recurringReasons(texts, ALL)
  expect(reason).toMatchObject({ sentence: 'It brings developers to the Cardano ecosystem and wallets.' })
})

test('phrases of mostly the same texts are one reason', async () => {
  const texts = Array.from({ length: 4 }, (_, i) => `Blurry product photos lower trust, case ${i}.`)
  expect(await recurringReasons(texts, ALL)).toHaveLength(1)
})

test('the order of the texts does not change what is found', async () => {
  const texts = [
    'Broken links.',
    'Broken links here.',
    'Many broken links.',
    'Tiny fonts.',
    'Tiny fonts!',
    'Tiny fonts?',
  ]
  const sentences = async (of: string[]) => (await recurringReasons(of, ALL)).map(({ sentence }) => sentence).sort()
  expect((await sentences([...texts].reverse())).map((each) => each.slice(0, 10))).toEqual(
    (await sentences(texts)).map((each) => each.slice(0, 10)),
  )
})

test('two thousand long texts leave the event loop to others', async () => {
  const words = Array.from({ length: 5_000 }, (_, i) => `w${(i * 7919) % 5_000}`)
  const texts = Array.from({ length: 2_000 }, (_, i) => words.slice(i % 4_000, (i % 4_000) + 250).join(' '))
  // A part that holds the event loop takes both. While the machine is busy with others, time alone passes.
  const spent = () => [performance.now(), process.cpuUsage().user / 1_000]
  let longest = 0
  let last = spent()
  const turn = () => {
    const now = spent()
    longest = Math.max(longest, Math.min(...now.map((ms, i) => ms - (last[i] ?? 0))))
    last = now
  }
  const timer = setInterval(turn, 1)
  await recurringReasons(texts, ALL)
  // Where it never gave way, the timer never ran.
  turn()
  clearInterval(timer)
  expect(longest).toBeLessThan(250)
})
