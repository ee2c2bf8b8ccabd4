import { expect, test } from 'vitest'
import { ada, bob, cyd, DOCUMENT, mentioning, ORGANIZATION, startMailing } from '../../../test/mailing.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import type { Claimed } from './claim.ts'
import { readEmailContent } from './email-content.ts'
import { templateProperties } from './template-properties.ts'

test('of a long thread an email reads the first comment, what it tells of, the comments before, and the number', async () => {
  const { service, ws, ...mailing } = await startMailing()
  const annotationId = await mailing.thread({}, { commentText: 'first', from: cyd })
  const subscribeUsers = Array.from({ length: 150 }, (_, n) => ({ userId: `follower ${n}` }))
  const following = {
    organizationId: ORGANIZATION,
    documentId: DOCUMENT,
    annotationIds: [annotationId],
    subscribeUsers,
  }
  await ws.ok('/v2/commentannotations/update', { ...following, triggerNotification: false })
  for (const commentText of ['1', '2', '3', '4', '5']) await mailing.reply(annotationId, bob, { commentText })
  await mailing.update(annotationId, { status: { id: 'RESOLVED' } })
  const claims = await service.database.query<Claimed>(sql`
    select id, api_key as "apiKey", organization_key as "organizationKey", user_key as "userKey", person, activities
    from email
    where api_key = ${ws.apiKey} and person ->> 'userId' = ${cyd.userId}
    order by id`)
  const shown = []
  for (const claimed of claims) {
    const content = await readEmailContent(service.database, { apiKey: ws.apiKey }, claimed)
    if (!content) throw new Error('The email has no content.')
    const { firstComment, prevComment, latestComment, commentsCount, commentsCountMoreThanThree } = templateProperties(
      content,
      { subject: '', fromName: '', unsubscribe: '' },
    )
    expect([firstComment?.commentText, commentsCount, commentsCountMoreThanThree]).toEqual(['first', 6, true])
    const [{ annotation }] = content.activities
    expect(Object.keys(annotation.subscribedUsers)).toHaveLength(100)
    const read = annotation.comments.map(({ commentText }) => commentText)
    shown.push({ read, shown: [prevComment?.commentText, latestComment?.commentText] })
  }
  const last = { read: ['first', '4', '5'], shown: ['4', '5'] }
  expect(shown).toEqual(
    expect.arrayContaining([
      { read: ['first', '1', '4', '5'], shown: ['first', '1'] },
      { read: ['first', '1', '2', '4', '5'], shown: ['1', '2'] },
      { read: ['first', '2', '3', '4', '5'], shown: ['2', '3'] },
      { read: ['first', '3', '4', '5'], shown: ['3', '4'] },
      last,
      // The change of status tells of no comment.
      last,
    ]),
  )
  expect(shown).toHaveLength(6)
})

// Otherwise an email of fifty replies reads some sixty comments of each of fifty threads, of up to 256 KiB each.
test('of the comments of its threads, an email reads only those of which it tells, even if another thread has the id', async () => {
  const { ws, service } = await startMailing()
  const batchConfig = { user: { isEnabled: true, batchWindowSeconds: 60, maxActivities: 50 } }
  const notificationServiceConfig = { batchConfig }
  await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true, notificationServiceConfig })
  const place = { organizationId: ORGANIZATION, documentId: DOCUMENT }
  const told = new Map([
    ['t', 10],
    ['u', 20],
  ])
  for (const [annotationId, commentId] of told) {
    const idOf = (n: number) => (n === 5 ? 30 - commentId : 2 * n + 1)
    const commentData = Array.from({ length: 30 }, (_, n) => ({ commentId: idOf(n), from: ada, commentText: 'Hi' }))
    const commentAnnotations = [{ annotationId, commentData }]
    await ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations, triggerNotification: false })
  }
  for (const [annotationId, commentId] of told) {
    const commentData = [{ commentId, from: ada, ...mentioning(bob) }]
    await ws.ok('/v2/commentannotations/comments/add', { ...place, annotationId, commentData })
    const more = Array.from({ length: 5 }, (_, n) => ({ commentId: 100 + n, from: ada, commentText: 'More' }))
    const reply = { ...place, annotationId, commentData: more, triggerNotification: false }
    await ws.ok('/v2/commentannotations/comments/add', reply)
  }
  const [email] = (await ws.ok('/v2/workspace/emails/list')).data
  const content = await readEmailContent(
    service.database,
    { apiKey: ws.apiKey },
    {
      apiKey: ws.apiKey,
      organizationKeys: null,
      id: email?.id ?? '',
      organizationKey: keyOf(ORGANIZATION),
      userKey: keyOf('bob'),
      person: { ...bob, initial: 'B' },
      activities: 2,
      attempt: 1,
      bySendgrid: false,
    },
  )
  const read = content?.activities.map(({ annotation: { comments } }) => comments.map(({ commentId }) => commentId))
  expect(read).toEqual([
    [1, 59, 10, 103, 104],
    [1, 59, 20, 103, 104],
  ])
  expect(content?.activities.map(({ annotation, comment }) => [annotation.commentsCount, comment?.commentId])).toEqual([
    [36, 10],
    [36, 20],
  ])
})
