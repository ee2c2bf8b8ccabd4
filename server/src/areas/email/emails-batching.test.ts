import { beforeAll, describe, expect, test } from 'vitest'
import { ada, bob, cyd, type Mailing, mentioning, ORGANIZATION, startMailing } from '../../../test/mailing.ts'
import { startService } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

beforeAll(startService)

const configured = async (notificationServiceConfig: object) => {
  const mailing = await startMailing()
  mailing.service.clock.stoppedAt = Date.now()
  await mailing.ws.ok('/v2/workspace/notificationconfig/update', {
    useNotificationService: true,
    notificationServiceConfig,
  })
  return mailing
}
const delayed = () => configured({ delayConfig: { isEnabled: true, delaySeconds: 600 } })
const batched = (by: 'document' | 'user', maxActivities = 3) =>
  configured({ batchConfig: { [by]: { isEnabled: true, batchWindowSeconds: 60, maxActivities } } })
const later = ({ service }: Mailing, seconds: number) => {
  service.clock.ahead += seconds * 1000
}
const mention = (mailing: Mailing) => mailing.thread({}, mentioning(bob))
const subjects = ({ mailbox }: Mailing) => mailbox.received().map(({ subject }) => subject)

describe('delayConfig', () => {
  test('an email waits for delaySeconds', async () => {
    const mailing = await delayed()
    await mention(mailing)
    later(mailing, 590)
    expect(await mailing.sent()).toEqual([])
    later(mailing, 20)
    expect(await mailing.sent()).toEqual(['bob@example.com'])
  })

  test('what is marked as read meanwhile is not sent', async () => {
    const mailing = await delayed()
    await mention(mailing)
    const { data } = await mailing.ws.ok('/v2/notifications/get', { organizationId: ORGANIZATION })
    await mailing.ws.ok('/v2/notifications/update', {
      organizationId: ORGANIZATION,
      notifications: [{ id: data[0]?.id, readByUserIds: ['bob'] }],
    })
    later(mailing, 601)
    expect(await mailing.sent()).toEqual([])
    expect(await mailing.recorded()).toEqual([
      { status: 'skipped', error: 'There is nothing left to tell.', attempt: 1 },
    ])
  })

  test.each([{}, { userId: 'bob' }])('what is deleted from the inbox meanwhile (%j) is not sent', async (copies) => {
    const mailing = await delayed()
    await mention(mailing)
    const { data } = await mailing.ws.ok('/v2/notifications/get', { organizationId: ORGANIZATION })
    const notificationIds = data.map(({ id }) => id)
    await mailing.ws.ok('/v2/notifications/delete', { organizationId: ORGANIZATION, notificationIds, ...copies })
    later(mailing, 601)
    expect(await mailing.sent()).toEqual([])
    expect(await mailing.recorded()).toMatchObject([{ status: 'skipped', error: 'There is nothing left to tell.' }])
  })

  test('what a user wants is what the user wants when it is sent', async () => {
    const mailing = await delayed()
    await mention(mailing)
    const config = { email: 'NONE' }
    await mailing.ws.ok('/v2/notifications/config/set', { organizationId: ORGANIZATION, userIds: ['bob'], config })
    later(mailing, 601)
    expect(await mailing.sent()).toEqual([])
  })
})

describe('batchConfig', () => {
  test('what happens within batchWindowSeconds is one email', async () => {
    const mailing = await batched('document')
    await mention(mailing)
    later(mailing, 50)
    await mention(mailing)
    expect(await mailing.sent()).toEqual([])
    later(mailing, 11)
    expect(await mailing.sent()).toEqual(['bob@example.com'])
    expect(subjects(mailing)).toEqual(['2 updates in The Plan'])
    await mention(mailing)
    later(mailing, 61)
    await mailing.sent()
    expect(subjects(mailing)).toEqual(['2 updates in The Plan', 'Ada Lovelace mentioned you in The Plan'])
  })

  test('with a delay, an email tells of what happened in its window, and waits for the delay', async () => {
    const mailing = await configured({
      delayConfig: { isEnabled: true, delaySeconds: 600 },
      batchConfig: { user: { isEnabled: true, batchWindowSeconds: 60, maxActivities: 5 } },
    })
    await mention(mailing)
    later(mailing, 50)
    await mention(mailing)
    later(mailing, 20)
    await mention(mailing)
    later(mailing, 591)
    await mailing.sent()
    expect(subjects(mailing)).toEqual(['2 updates in The Plan'])
    later(mailing, 70)
    await mailing.sent()
    expect(subjects(mailing)).toEqual(['2 updates in The Plan', 'Ada Lovelace mentioned you in The Plan'])
  })

  test('an email about what several people did comes from the company, not from one of them', async () => {
    const mailing = await batched('document', 2)
    await mention(mailing)
    await mailing.thread({}, { ...mentioning(bob), from: cyd })
    await mailing.sent()
    expect(mailing.mailbox.received().map(({ headers }) => headers.from)).toEqual([
      'Precedent <service@precedent.test>',
    ])
  })

  test('maxActivities ends a batch at once', async () => {
    const mailing = await batched('document', 2)
    for (let count = 0; count < 5; count++) await mention(mailing)
    await mailing.sent()
    expect(subjects(mailing)).toEqual(['2 updates in The Plan', '2 updates in The Plan'])
    later(mailing, 61)
    await mailing.sent()
    expect(subjects(mailing)).toHaveLength(3)
  })

  test('no email tells of more than maxActivities, however many one call adds', async () => {
    const mailing = await batched('document', 3)
    const annotationId = await mailing.thread({}, { from: bob })
    const replies = async (count: number) =>
      mailing.ws.ok('/v2/commentannotations/comments/add', {
        organizationId: ORGANIZATION,
        documentId: 'plan',
        annotationId,
        commentData: Array.from({ length: count }, () => ({ from: ada, commentText: 'More' })),
      })
    await replies(2)
    await replies(5)
    later(mailing, 61)
    await mailing.sent()
    const counts = subjects(mailing).map((subject) => Number(/^(\d)/.exec(subject)?.[1]))
    expect([Math.max(...counts), counts.reduce((a, b) => a + b)]).toEqual([3, 7])
  })

  test('of a document: other documents have batches of their own; of a user: they share one', async () => {
    for (const [by, expected] of [
      ['document', 2],
      ['user', 1],
    ] as const) {
      const mailing = await batched(by)
      await mention(mailing)
      await mailing.ws.ok('/v2/commentannotations/add', {
        organizationId: ORGANIZATION,
        documentId: 'other',
        createDocument: true,
        commentAnnotations: [{ commentData: [{ from: ada, ...mentioning(bob) }] }],
      })
      later(mailing, 61)
      expect(await mailing.sent()).toHaveLength(expected)
    }
  })

  test('concurrent changes lose no activity and overfill no batch', async () => {
    const mailing = await batched('user', 4)
    await Promise.all(Array.from({ length: 10 }, () => mention(mailing)))
    const rows = await mailing.service.database.query<{ activities: number; told: number }>(sql`
      select e.activities, count(*) as told
      from email e
      join email_activity a on a.api_key = e.api_key and a.email_id = e.id
      where e.api_key = ${mailing.ws.apiKey}
      group by e.id, e.activities
      order by e.activities`)
    expect(rows).toEqual([2, 4, 4].map((count) => ({ activities: count, told: count })))
  })
})

test('settled emails are forgotten after the time for which deliveries are kept', async () => {
  const mailing = await startMailing()
  await mention(mailing)
  await mailing.sent()
  expect(await mailing.recorded()).toHaveLength(1)
  later(mailing, 31 * 86_400)
  await mailing.service.drainJobs()
  expect(await mailing.recorded()).toEqual([])
})
