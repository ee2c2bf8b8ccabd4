import { expect, test } from 'vitest'
import { sublinear } from '../words/sublinear.ts'
import { peakAt } from './postings.ts'
import { Segment } from './segment.ts'

const TEXTS = [
  { 0: 2, 1: 1 },
  { 0: 5, 2: 1 },
  { 1: 3, 2: 4 },
]

test('the bounds of a stem are those of its texts, and follow the weights', () => {
  const segment = new Segment(0)
  for (let i = 0; i < 600; i++) {
    const entries = Uint32Array.from(
      Object.entries(TEXTS[i % 3] as object),
      ([stem, count]) => Number(stem) * 256 + count,
    )
    segment.add(entries, { length: 1, norm: 1, trigramNorm: 1 })
  }
  segment.updatePostings(3)
  expect([0, 1, 2].map((at) => peakAt(segment.postings, at))).toEqual([5, 3, 4])
  for (const idf of [Float32Array.of(1, 2, 3), Float32Array.of(9, 1, 0.5)]) {
    segment.adopt(segment.weighed(idf))
    const norm = (text: Record<number, number>) =>
      Math.hypot(...Object.entries(text).map(([stem, count]) => sublinear(count) * (idf[Number(stem)] as number)))
    for (const stem of [0, 1, 2]) {
      const most = Math.max(
        ...TEXTS.map((text: Record<number, number>) => (text[stem] ? sublinear(text[stem]) / norm(text) : 0)),
      )
      // Asked twice: the second answer is the one that was kept.
      for (let asked = 0; asked < 2; asked++) expect(segment.impactAt(stem) / most).toBeCloseTo(1, 5)
    }
  }
})
