import { expect, test } from 'vitest'
import type { PastJudgment } from '../learning/read-history.ts'
import { LearningPast } from './learning-past.ts'

const content = '漢字。'.repeat(6_000)
const judged = (i: number): PastJudgment => ({
  ...{ key: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`, decision: 'approve', createdAt: 1 },
  ...{ reasoning: content, content, reviewerId: null, judgeType: 'human', contentType: null },
  ...{ organization: null, document: null, thread: null, author: null },
  vectors: { review: null, content: null },
})

test('judgments of one time are made known in turns, with rests between them', async () => {
  const then = new LearningPast({ dense: undefined, authors: true })
  for (let i = 0; i < 10; i++) for await (const _ of then.add(judged(i)));
  let rests = 0
  for await (const _ of then.know()) rests++
  expect(rests).toBeGreaterThan(2)
  expect(then.past.counts({ thread: null }).approvals).toBe(10)
})
