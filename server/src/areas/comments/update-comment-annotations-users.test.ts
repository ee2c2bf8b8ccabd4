import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ada, at, bob, newReview, type Review } from '../../../test/review.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import type { Sql } from '../../platform/db/db.ts'

let service: Service
let review: Review

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
  await review.thread('t')
})

const eve = { userId: 'eve', name: 'Eve' }
const swap = (newUserId: string) =>
  review.ok('update', {
    annotationIds: ['t'],
    updateUsers: [{ oldUser: { userId: 'bob' }, newUser: { userId: newUserId, name: 'Eve' } }],
  })

test('updateUsers renames {{id}} in the text too', async () => {
  await review.ok('comments/add', {
    annotationId: 't',
    commentData: [
      {
        from: ada,
        commentId: 2,
        commentText: 'Ask {{bob}}, not {{bobby}}',
        commentHtml: '<b>{{bob}}</b>',
        taggedUserContacts: [{ userId: 'bob', text: '{{bob}}', contact: bob }],
      },
    ],
  })
  await swap('eve')
  const [, comment] = (await review.read('t')).comments
  expect(comment).toMatchObject({
    commentText: 'Ask {{eve}}, not {{bobby}}',
    commentHtml: '<b>{{eve}}</b>',
    taggedUserContacts: [{ userId: 'eve', text: '{{eve}}', contact: eve }],
  })
})

test('a user who takes the place of another beside whom they were mentioned is mentioned once', async () => {
  const taggedUserContacts = ['bob', 'eve'].map((userId) => ({ userId, text: `{{${userId}}}` }))
  const commentData = [{ from: ada, commentId: 2, commentText: 'Ask {{bob}} or {{eve}}', taggedUserContacts }]
  await review.ok('comments/add', { annotationId: 't', commentData })
  await swap('eve')
  const [, comment] = (await review.read('t')).comments
  expect(comment?.to.map(({ userId }) => userId)).toEqual(['eve'])
  expect(comment?.taggedUserContacts.map(({ text }) => text)).toEqual(['{{eve}}'])
})

test('a user in place of themselves, with another name, stays unsubscribed', async () => {
  const renamed = { userId: 'ada', name: 'Ada King' }
  const updateUsers = [{ oldUser: { userId: 'ada' }, newUser: renamed }]
  await review.ok('update', { annotationIds: ['t'], unsubscribeUsers: [{ userId: 'ada' }] })
  await review.ok('update', { annotationIds: ['t'], updateUsers })
  const { from, unsubscribedUsers } = await review.read('t')
  expect([from.name, JSON.stringify(unsubscribedUsers)]).toEqual(['Ada King', expect.stringContaining('Ada King')])
})

test('updateUsers that makes a comment larger than a record may be fails for that thread, and changes nothing', async () => {
  await review.ok('comments/add', {
    annotationId: 't',
    commentData: [{ from: ada, commentId: 2, commentText: '{{bob}}'.repeat(2_000) }],
  })
  expect(await swap('e'.repeat(256))).toMatchObject({ t: { success: false } })
  expect((await review.read('t')).comments[1]?.commentText).toBe('{{bob}}'.repeat(2_000))
})

test('who is replaced among those who see a restricted thread keeps no notification of it', async () => {
  const { ws } = review
  await ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
  await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
  await review.ok('update', {
    annotationIds: ['t'],
    updatedData: { visibility: { type: 'restricted', userIds: ['bob'] } },
  })
  await review.ok('comments/add', {
    annotationId: 't',
    commentData: [{ from: ada, commentText: 'For {{bob}}', taggedUserContacts: [{ userId: 'bob', contact: bob }] }],
  })
  const inbox = async () => (await ws.ok('/v2/notifications/get', { organizationId: 'acme', userId: 'bob' })).data
  expect(await inbox()).toHaveLength(1)
  await swap('eve')
  expect((await review.read('t')).visibilityConfig.userIds).toEqual(['ada', 'eve'])
  expect(await inbox()).toEqual([])
  expect((await review.types()).at(-1)).toBe('comment_annotation.access_mode_change')
})

test('updateUsers replaces who decided a suggestion', async () => {
  await review.thread('s', { type: 'suggestion', suggestion: { targetId: 'x', oldValue: 1, newValue: 2 } })
  const suggestion = { targetId: 'x', oldValue: 1, newValue: 2, status: 'accepted' }
  await review.ok('update', { annotationIds: ['s'], actionUser: bob, updatedData: { suggestion } })
  const updateUsers = [{ oldUser: { userId: 'bob' }, newUser: eve }]
  await review.ok('update', { annotationIds: ['s'], updateUsers })
  expect((await review.read('s')).suggestion).toMatchObject({ ...suggestion, resolvedBy: eve })
})

test('updateUsers replaces who reacted in the threads, and in no others', async () => {
  await review.thread('other')
  const reactions = (annotationId: string) => [{ reactionId: `r-${annotationId}`, icon: 'HEART', from: bob }]
  for (const annotationId of ['t', 'other'])
    await review.ws.ok('/v2/reactions/add', { ...at, annotationId, reactions: reactions(annotationId) })
  await swap('eve')
  const of = async (userId: string) => {
    const { data } = await review.ws.ok('/v2/reactions/get', { organizationId: 'acme', userId })
    return data.map(({ annotationId, from }) => [annotationId, from.name])
  }
  expect([await of('eve'), await of('bob')]).toEqual([[['r-t', 'Eve']], [['r-other', 'Bob']]])
})

/**
 * Returns a function that says how long the longest parameter was of the statements on comments that transactions sent
 * since the last call. Workers send others meanwhile.
 */
function noteParameters({ database }: Service): () => number {
  let longest = 0
  const note = ({ text, values }: Sql) => {
    if (!text.includes('comment')) return
    for (const value of values) if (Array.isArray(value)) longest = Math.max(longest, value.length)
  }
  const transaction = database.transaction.bind(database)
  vi.spyOn(database, 'transaction').mockImplementation((work) =>
    transaction((db) =>
      work({
        query: (statement) => {
          note(statement)
          return db.query(statement)
        },
        send: (statement, ...answered) => {
          note(statement)
          db.send(statement, ...answered)
        },
      }),
    ),
  )
  return () => {
    const was = longest
    longest = 0
    return was
  }
}

test('a thousand users in place of others write no more rows in many threads than these have people', async () => {
  const longest = noteParameters(service)
  const ids = Array.from({ length: 50 }, (_, n) => `t${n}`)
  const commentData = [{ from: ada, commentText: 'x' }]
  const commentAnnotations = ids.map((annotationId) => ({ annotationId, commentData }))
  await review.ok('add', { commentAnnotations, triggerNotification: false })
  const strangers = Array.from({ length: 999 }, (_, n) => ({ oldUser: { userId: `u${n}` }, newUser: bob }))
  expect(longest()).toBe(50)
  await review.ok('update', { updateUsers: [...strangers, { oldUser: ada, newUser: eve }], triggerNotification: false })
  // The thread of all tests is among them.
  expect(longest()).toBe(51)
  vi.restoreAllMocks()
})
