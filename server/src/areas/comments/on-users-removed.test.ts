import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../test/running-service.ts'
import { untilWaiting } from '../../../test/until-waiting.ts'
import { sql } from '../../platform/db/db.ts'

const place = { organizationId: 'acme', documentId: 'plan' }

// The embedded database runs one transaction after the other.
test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'a removal ends the subscription that a comment brings at the same time',
  async () => {
    const service = await startService()
    const { database } = service
    const ws = await newWorkspace(service)
    await ws.ok('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'ada' }, { userId: 'bob' }] })
    await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'plan' }] })
    const thread = { annotationId: 't', commentData: [{ commentText: 'A start', from: { userId: 'ada' } }] }
    await ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations: [thread] })

    // Holds the comment up once it has stored that Bob is subscribed: its activity waits.
    await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
    const { added, removed } = await database.transaction(async (db) => {
      await db.query(sql`lock table activity_log in exclusive mode`)
      const commentData = [{ commentText: 'Bob?', from: { userId: 'ada' }, taggedUserContacts: [{ userId: 'bob' }] }]
      const added = ws.ok('/v2/commentannotations/comments/add', {
        ...place,
        annotationId: 't',
        commentData,
        triggerActivities: true,
      })
      await untilWaiting(database, 1)
      const removed = ws.ok('/v2/users/delete', { organizationId: 'acme', userIds: ['bob'] })
      await Promise.race([removed, untilWaiting(database, 2)])
      return { added, removed }
    })
    await Promise.all([added, removed])
    const subscribed = await database.query(sql`
      select person->>'userId' as id from comment_participant where api_key = ${ws.apiKey} and subscription is not null`)
    expect(subscribed).toEqual([{ id: 'ada' }])
  },
)
