import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ada, at, newReview, type Review } from '../../../test/review.ts'
import { type Service, startAlone } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'

const RESOLVED = { id: 'RESOLVED', name: 'Resolved', type: 'terminal' }
const APPROVED = { decision: 'approve', reasoning: 'Good', actionUser: ada }

// The embedded database runs one transaction after the other.
describe.runIf(process.env.TEST_DATABASE === 'postgres')('while a large organization is being deleted', () => {
  let service: Service
  let review: Review
  beforeAll(async () => {
    service = await startAlone()
  })
  beforeEach(async () => {
    review = await newReview(service)
    await addMany('acme')
    await addJudgment('acme')
  })

  async function addMany(organizationId: string): Promise<void> {
    for (const [from, count] of [
      [0, 1_000],
      [1_000, 1],
    ] as const) {
      const commentAnnotations = Array.from({ length: count }, (_, n) => ({
        annotationId: `old-${from + n}`,
        commentData: [{ from: ada, commentText: 'One' }],
      }))
      const place = { organizationId, documentId: 'plan', createOrganization: true, createDocument: true }
      await review.ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations, triggerNotification: false })
    }
  }

  const addJudgment = (organizationId: string) =>
    review.ws.ok('/v2/memory/judgments/add', { organizationId, judgments: [{ ...APPROVED, recordId: organizationId }] })

  /** Deletes the organization, and holds the transaction at its judgments until the other call has begun. */
  async function during(path: string, data: object): Promise<number[]> {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const holder = service.database.transaction(async (db) => {
      await db.query(sql`
        select
        from judgment
        where api_key = ${review.ws.apiKey} and organization_key = ${keyOf('acme')}
        for update`)
      await held
    })
    await delay(100)
    const deletion = review.ws.call('/v2/organizations/delete', { organizationIds: ['acme'] })
    await untilWaiting(1)
    const other = review.ws.call(path, data)
    await delay(300)
    release()
    await holder
    return (await Promise.all([deletion, other])).map(({ status }) => status)
  }

  const untilWaiting = (count: number) =>
    expect
      .poll(() =>
        service.database.query(sql`select 1 as one from pg_locks where not granted`).then((rows) => rows.length),
      )
      .toBeGreaterThanOrEqual(count)

  async function deadlocks(): Promise<number> {
    // A session reports its statistics once a second.
    await delay(1_200)
    const [row] = await service.database.query<{ count: number }>(sql`
      select deadlocks as count from pg_stat_database where datname = current_database()`)
    return row?.count ?? Number.NaN
  }

  test.each([
    ['adds it', '/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] }],
    [
      'creates another one with a decision',
      '/v2/commentannotations/add',
      {
        ...{ organizationId: 'beta', documentId: 'd', createOrganization: true, createDocument: true },
        commentAnnotations: [{ annotationId: 'x', status: RESOLVED, commentData: [{ from: ada, commentText: 'One' }] }],
      },
    ],
    ['deletes another large one and a small one', '/v2/organizations/delete', { organizationIds: ['big', 'small'] }],
  ])('a call that %s runs into no deadlock', async (_, path, data) => {
    await addMany('big')
    await review.ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'small' }] })
    await addJudgment('small')
    const before = await deadlocks()
    expect(await during(path, data)).toEqual([200, 200])
    expect(await deadlocks()).toBe(before)
  })

  test('a decision that comes meanwhile is found by nobody', async () => {
    const updatedData = { status: RESOLVED }
    await during('/v2/commentannotations/update', { ...at, annotationIds: ['old-3'], updatedData })
    const { body } = await review.ws.call('/v2/memory/judgments/query', {})
    expect(body.result.results).toEqual([])
  })

  test('an email that would be queued meanwhile is not listed', async () => {
    await review.ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
    await review.ws.ok('/v2/workspace/emailconfig/update', { useEmailService: true })
    const bob = { userId: 'bob', name: 'Bob', email: 'bob@example.com' }
    await review.ws.ok('/v2/users/add', { organizationId: 'acme', users: [bob] })
    const commentData = [{ from: ada, commentText: 'Look', assignedTo: { userId: 'bob' } }]
    const [deleted] = await during('/v2/commentannotations/add', {
      ...at,
      commentAnnotations: [{ annotationId: 'late', commentData }],
    })
    expect(deleted).toBe(200)
    expect((await review.ws.ok('/v2/workspace/emails/list', {})).data).toEqual([])
  })
})
