import { beforeAll, expect, test } from 'vitest'
import { at, newReview, type Review } from '../../../test/review.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

const { organizationId } = at
const people = [{ userId: 'legal', accessFields: ['team:legal'] }, { userId: 'sales' }]

let service: Service
let review: Review
beforeAll(async () => {
  service = await startService()
  review = await newReview(service)
  await review.ws.ok('/v2/users/add', { organizationId, users: people })
  await review.ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
})

const inbox = async (userId: string) => {
  const { data } = await review.ws.ok('/v2/notifications/get', { organizationId, userId })
  return data.map(({ targetAnnotationId }) => targetAnnotationId).sort()
}
const inboxes = async () => [await inbox('legal'), await inbox('sales')]

test('notifications of a thread are shown to those to whom its context of today shows it', async () => {
  const taggedUserContacts = people.map(({ userId }) => ({ userId }))
  const commentData = [{ from: { userId: 'ada' }, commentText: 'Hi', taggedUserContacts }]
  await review.ok('add', { commentAnnotations: ['t', 'u'].map((annotationId) => ({ annotationId, commentData })) })
  const update = (context: object | null) =>
    review.ok('update', { annotationIds: ['t'], triggerNotification: false, updatedData: { context } })
  const both = ['t', 'u']
  expect(await inboxes()).toEqual([both, both])
  await update({ access: { team: 'legal' } })
  expect(await inboxes()).toEqual([both, ['u']])
  await update(null)
  expect(await inboxes()).toEqual([both, both])
})

test('many notifications repeat a large context abridged, but for who has access, in at most 32 MiB', async () => {
  const commentData = Array.from({ length: 400 }, () => ({
    from: { userId: 'ada' },
    commentText: 'Hi',
    taggedUserContacts: [{ userId: 'sales' }],
  }))
  await review.ok('add', { commentAnnotations: [{ annotationId: 'many', commentData }] })
  const update = (context: object) => review.call('update', { annotationIds: ['many'], updatedData: { context } })
  const access = { team: 'legal' }
  expect((await update({ access, text: 'x'.repeat(250_000) })).status).toBe(200)
  const notifications = await service.database.query(sql`
    select count(*) as count, record -> 'context' as context
    from notification
    where api_key = ${review.ws.apiKey} and record #>> '{notificationSourceData,annotationId}' = 'many'
    group by 2`)
  expect(notifications).toEqual([{ count: 400, context: { access, accessFields: ['team:legal'], isAbridged: true } }])
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`field${n}`, 'x'.repeat(480)]))
  const { status, body } = await update({ access: many })
  expect([status, body.error.message]).toEqual([
    400,
    'context.access would be repeated in more than 32 MiB; make it smaller, or update fewer annotations. Nothing was changed.',
  ])
})
