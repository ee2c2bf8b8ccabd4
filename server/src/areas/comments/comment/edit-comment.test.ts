import { expect, test } from 'vitest'
import { ada, bob, newReview } from '../../../../test/review.ts'
import { startService } from '../../../../test/running-service.ts'
import type { UpdatedComment } from './edit-comment.ts'

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

test('each field that an update takes changes the comment', async () => {
  const review = await newReview(await startService())
  const changes: { [Field in keyof Required<UpdatedComment>]: UpdatedComment[Field] } = {
    commentText: 'Later',
    commentHtml: '<b>First</b>',
    context: { access: { team: 'red' } },
    isCommentResolverUsed: true,
    isCommentTextAvailable: false,
    taggedUserContacts: [{ userId: 'eve', text: '@Eve', contact: { name: 'Eve' } }],
    attachments: [{ name: 'plan.pdf' }],
    from: bob,
  }
  for (const [field, value] of Object.entries(changes)) {
    await review.thread(field, {}, { from: ada, commentText: 'First' })
    await review.ok('comments/update', { annotationId: field, commentIds: [1], updatedData: { [field]: value } })
    const { comments } = await review.read(field)
    expect(comments[0]?.isEdited, field).toBe(true)
  }
})
