import { expect, test } from 'vitest'
import type { Thread } from '../comments/thread/thread.ts'
import { assertFewReactions, withReactions } from './with-reactions.ts'

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

test('a thread has at most 100,000 reactions, to it and to its comments', () => {
  const thread = { id: 't', reactionsCount: 99_998 } as unknown as Thread
  expect(() => assertFewReactions(thread, 2)).not.toThrow()
  expect(() => assertFewReactions(thread, 3)).toThrow('The annotation t would have more than 100000 reactions.')
})
