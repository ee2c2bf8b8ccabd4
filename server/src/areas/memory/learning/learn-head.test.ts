import { expect, test } from 'vitest'
import { foretell, type Head, topicality } from '../head/head.ts'
import { cosineOf } from '../vectors/similarity-baseline.ts'
import { learnHead } from './learn-head.ts'
import type { PastJudgment } from './read-history.ts'

const DAY = 86_400_000
const DIMENSIONS = 64
const NO_VOTES = { votes: [], approvals: 0, rejections: 0 }

/** A number from -1 to 1 that depends on the seed alone. */
const noise = (seed: number) => (Math.imul(seed + 1, 0x9e3779b1) ^ (Math.imul(seed + 7, 0x85ebca6b) >>> 13)) / 2 ** 31

/** The vector of a text: the direction of its topic, and noise. */
function vectorOf(topic: number, seed: number): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, (_, i) => noise(seed * DIMENSIONS + i) / 5)
  vector[topic] = 1
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

function judged(i: number, topic: number, { approve, at }: { approve: boolean; at: number }): PastJudgment {
  return {
    ...{ recordId: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`, decision: approve ? 'approve' : 'reject' },
    ...{
      reasoning: '',
      content: `Item ${i} on topic ${topic}`,
      reviewerId: null,
      judgeType: 'human',
      contentType: null,
    },
    ...{ organization: null, document: null, thread: null, author: null, createdAt: at },
    vectors: { review: null, content: vectorOf(topic, i) },
  }
}

async function learned(judgments: PastJudgment[]): Promise<Head> {
  const dense = { model: 'm', dimensions: DIMENSIONS, baseline: { mean: 0, deviation: 0.12 }, onlyFills: true }
  const steps = learnHead(judgments, { dense, authors: false })
  for (;;) {
    const step = await steps.next()
    if (step.done) return step.value?.head as Head
  }
}

test('the gate keeps out what is near no judgment, though a topic was new while it was judged', async () => {
  const old = Array.from({ length: 300 }, (_, i) => judged(i, 0, { approve: i % 3 > 0, at: 0 }))
  const fresh = Array.from({ length: 60 }, (_, i) => judged(300 + i, 1, { approve: i % 3 > 0, at: (i + 1) * DAY }))
  const judgments = [...old, ...fresh]
  const { gate } = await learned(judgments)
  const passes = (vector: Float32Array) =>
    topicality(
      judgments.map(({ vectors }) => cosineOf(vector, vectors.content as Float32Array)),
      judgments.length,
    ) >= (gate?.least ?? -1)
  const items = (topic: number) => Array.from({ length: 100 }, (_, i) => vectorOf(topic, 1000 + i))
  expect(items(2).filter(passes)).toHaveLength(0)
  expect(items(0).filter(passes).length).toBeGreaterThan(85)
  expect(items(1).filter(passes).length).toBeGreaterThan(85)
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
