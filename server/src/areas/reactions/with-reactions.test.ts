import { expect, test } from 'vitest'
import type { Thread } from '../comments/thread/thread.ts'
import { withReactions } from './with-reactions.ts'

test('reactions find their comments without a look at each for every comment', () => {
  let looks = 0
  const added = Array.from({ length: 100 }, (_, index) => ({
    id: `reaction${index}`,
    get commentId() {
      looks++
      return 7
    },
  }))
  const comments = Array.from({ length: 100 }, (_, commentId) => ({ commentId, reactionAnnotationIds: [] }))
  const { thread } = withReactions({ comments, reactionIds: [] } as unknown as Thread, added)
  expect(thread.comments[7]?.reactionAnnotationIds).toHaveLength(100)
  expect(thread.comments[8]?.reactionAnnotationIds).toEqual([])
  expect(looks).toBeLessThan(1000)
})
