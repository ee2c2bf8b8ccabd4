import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { type Gate, isOnTopic } from '../head/gate.ts'
import { foretell, type Head } from '../head/head.ts'
import { type KnownModel, KnownPast } from './known-past.ts'
import { learnHead } from './learn-head.ts'
import type { PastJudgment } from './read-history.ts'

const DAY = 86_400_000
const DIMENSIONS = 64
const DENSE: KnownModel = {
  ...{ model: 'm', dimensions: DIMENSIONS, onlyFills: true },
  baseline: { mean: 0, deviation: 0.12 },
}
const NO_VOTES = { votes: [], approvals: 0, rejections: 0 }

/** A number from -1 to 1 that depends on the seed alone. */
const noise = (seed: number) => createHash('sha256').update(String(seed)).digest().readInt32LE(0) / 2 ** 31

/** The vector of a text: the direction of its topic, and noise. */
function vectorOf(topic: number, seed: number): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, (_, i) => noise(seed * DIMENSIONS + i) / 5)
  vector[topic] = 1
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

function judged(i: number, topic: number, { approve, at }: { approve: boolean; at: number }): PastJudgment {
  return {
    ...{ key: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`, decision: approve ? 'approve' : 'reject' },
    ...{ reasoning: '', content: textOf(topic, i), reviewerId: null, judgeType: 'human', contentType: null },
    ...{ organization: null, document: null, thread: null, author: null, createdAt: at },
    vectors: { review: null, content: vectorOf(topic, i) },
  }
}

const WORDS = [
  'budget costs money hours salary invoice travel venue stipend printing audit hosting'.split(' '),
  'header cookie origin script iframe browser storage worker canvas font sensor pointer'.split(' '),
  'garden apple bees nectar orchard blossom prune ladder cider harvest frost hedge'.split(' '),
]

/** A text of some words of its topic. */
const textOf = (topic: number, seed: number) => {
  const words = WORDS[topic] ?? []
  return words.filter((_, i) => noise(seed * words.length + i) > 0).join(' ')
}

async function learned(judgments: PastJudgment[]): Promise<Head> {
  const steps = learnHead(judgments, { dense: DENSE, authors: false })
  for (;;) {
    const step = await steps.next()
    if (step.done) return step.value?.head as Head
  }
}

/** After some judgments: how many of 100 items on a topic pass the gate. */
async function passingOf(judgments: PastJudgment[]): Promise<(topic: number) => Promise<number>> {
  const { gates } = await learned(judgments)
  const past = new KnownPast(judgments.length, DENSE)
  for (const judgment of judgments) past.learn(judgment)
  return async (topic) => {
    let passing = 0
    for (let seed = 1000; seed < 1100; seed++) {
      const near = await past.nearness({ text: textOf(topic, seed), vector: vectorOf(topic, seed) }, [])
      if (near && isOnTopic(gates.vectors as Gate, near, 100)) passing++
    }
    return passing
  }
}

test('rests between long contents', async () => {
  const cut = vi.spyOn(Intl.Segmenter.prototype, 'segment')
  const content = '漢字。'.repeat(6_000)
  const judgments = Array.from({ length: 200 }, (_, i) => ({ ...judged(i, 0, { approve: i % 2 > 0, at: i }), content }))
  await learnHead(judgments, { dense: DENSE, authors: false }).next()
  const calls = cut.mock.calls.length
  vi.restoreAllMocks()
  expect(calls).toBeGreaterThan(0)
  expect(calls).toBeLessThan(1_000)
})

test('the gate keeps out what is near no judgment, though a topic was new while it was judged', async () => {
  const old = Array.from({ length: 200 }, (_, i) => judged(i, 0, { approve: i % 3 > 0, at: 0 }))
  const fresh = Array.from({ length: 160 }, (_, i) => judged(200 + i, 1, { approve: i % 3 > 0, at: (i + 1) * DAY }))
  const passing = await passingOf([...old, ...fresh])
  expect(await passing(2)).toBe(0)
  expect(await passing(0)).toBeGreaterThan(85)
  expect(await passing(1)).toBeGreaterThan(85)
})

test('a new topic that is approved less often is not taken for a trend that goes on', async () => {
  const old = Array.from({ length: 100 }, (_, i) => judged(i, 0, { approve: i % 10 > 0, at: i * DAY }))
  const fresh = Array.from({ length: 900 }, (_, i) => judged(100 + i, 1, { approve: i % 2 > 0, at: 100 * DAY }))
  const head = await learned([...old, ...fresh])
  const item = { text: 'Nothing known', vector: null, author: undefined }
  const evidence = { byWords: NO_VOTES, cosines: undefined, sideOf: () => undefined }
  const { probability } = foretell(head, { ...item, evidence }, { ...head.fittedTo, now: 100 * DAY })
  expect(head.fittedTo).toEqual({ approvals: 540, rejections: 460 })
  expect(probability).toBeGreaterThan(0.4)
})

test('a share of approvals that fell once is not expected to fall as far again', async () => {
  const old = Array.from({ length: 300 }, (_, i) => judged(i, i % 2, { approve: i % 2 > 0 || i % 4 > 0, at: 0 }))
  const fresh = Array.from({ length: 300 }, (_, i) => judged(300 + i, 1, { approve: i % 2 > 0, at: 100 * DAY }))
  const head = await learned([...old, ...fresh])
  const item = { text: 'Nothing known', vector: null, author: undefined }
  const evidence = { byWords: NO_VOTES, cosines: undefined, sideOf: () => undefined }
  const { probability } = foretell(head, { ...item, evidence }, { ...head.fittedTo, now: 200 * DAY })
  expect(head.fittedTo).toEqual({ approvals: 375, rejections: 225 })
  expect(probability).toBeGreaterThan(0.5)
})
