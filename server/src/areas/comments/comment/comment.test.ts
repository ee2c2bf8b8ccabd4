import { expect, test } from 'vitest'
import { newComment } from './comment.ts'
import type { CommentInput, triggerInput } from './comment-input.ts'
import type { People } from './person.ts'

/** What callers send besides ids and times, which are stored beside the record, and triggers, which are not stored. */
type Content = Omit<CommentInput, 'commentId' | 'createdAt' | 'lastUpdated' | keyof typeof triggerInput>

const people: People = {
  complete: ({ userId, name = userId, initial = 'X' }) => ({ userId, name, initial }),
  find: () => undefined,
}

test('a new comment keeps each field of the content that is sent', () => {
  const content: Required<Content> = {
    type: 'voice',
    from: { userId: 'ada' },
    commentText: 'Look, @Eve',
    commentHtml: '<b>Look</b>',
    commentVoiceUrl: 'https://example.com/voice',
    context: { access: { team: 'red' } },
    isCommentResolverUsed: true,
    isCommentTextAvailable: false,
    taggedUserContacts: [{ userId: 'eve', text: '@Eve', contact: { name: 'Eve' } }],
    attachments: [{ attachmentId: 1, name: 'plan.pdf' }],
    recorders: [{ id: 'r' }],
    customList: [{ id: 'c', label: 'C' }],
    toOrganizationUserGroup: [{ groupId: 'g' }],
    agent: { agentId: 'a', agentFields: ['severity'] },
  }
  expect(newComment(content, people)).toMatchObject(content)
})
