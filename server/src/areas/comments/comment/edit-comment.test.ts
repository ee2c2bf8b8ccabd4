import { expect, test } from 'vitest'
import { ada, bob, newReview } from '../../../../test/review.ts'
import { startService } from '../../../../test/running-service.ts'

test('a mention by {{userId}} ends with the words that made it, one by a tagged contact stays', async () => {
  const review = await newReview(await startService())
  await review.ws.ok('/v2/users/add', { organizationId: 'acme', users: [bob] })
  const taggedUserContacts = [{ userId: 'eve', text: '@Eve', contact: { name: 'Eve' } }]
  await review.thread('t', {}, { from: ada, commentText: '{{bob}}, @Eve', taggedUserContacts })
  const mentionedAfter = async (commentText: string) => {
    await review.ok('comments/update', { annotationId: 't', commentIds: [1], updatedData: { commentText } })
    const { mentionedUserIds, comments } = await review.read('t')
    expect(comments[0]?.to.map(({ userId }) => userId).sort()).toEqual([...mentionedUserIds].sort())
    return [...mentionedUserIds].sort()
  }
  expect(await mentionedAfter('Well, {{bob}}')).toEqual(['bob', 'eve'])
  expect(await mentionedAfter('Nobody')).toEqual(['eve'])
})
