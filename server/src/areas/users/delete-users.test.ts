import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ungrouped } from '../../../test/answer.ts'
import { bob, mentioning, startMailing } from '../../../test/mailing.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { untilWaiting } from '../../../test/until-waiting.ts'
import { sql } from '../../platform/db/db.ts'

const place = { organizationId: 'acme', documentId: 'plan' }
const ada = { userId: 'ada' }
const ben = { userId: 'ben' }

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
})

const remove = () => ws.ok('/v2/users/delete', { organizationId: 'acme', userIds: ['ben'] })
const addAgain = () => ws.ok('/v2/users/add', { organizationId: 'acme', users: [ben] })
const thread = (comment: object = {}) =>
  ws.ok('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [{ annotationId: 't', commentData: [{ commentText: 'Hello', from: ada, ...comment }] }],
  })
const reply = (comment: object = {}) =>
  ws.ok('/v2/commentannotations/comments/add', {
    ...place,
    annotationId: 't',
    commentData: [{ commentText: 'Reply', from: ada, ...comment }],
  })
const mention = { commentText: 'Look {{ben}}', taggedUserContacts: [{ userId: 'ben', contact: ben }] }
const inbox = async () => (await ws.ok('/v2/notifications/get', { organizationId: 'acme', userId: 'ben' })).data
const subscribers = async () => {
  const { data } = await ws.ok('/v2/commentannotations/get', place)
  const [shown] = ungrouped(data)
  return Object.values(shown?.subscribedUsers ?? {}).map(({ user }) => user.userId)
}
const check = async (type: string, id: string, action = 'view') => {
  const checks = [{ userId: 'ben', resource: { type, id }, action }]
  const { data } = await ws.ok('/v2/auth/permissions/check', { organizationId: 'acme', checks })
  return data[0]
}

describe('a user removed from an organization', () => {
  beforeEach(async () => {
    ws = await newWorkspace(service)
    await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
    await ws.ok('/v2/users/add', { organizationId: 'acme', users: [ada, ben] })
    await ws.ok('/v2/organizations/folders/add', { organizationId: 'acme', folders: [{ folderId: 'f' }] })
    const documents = [{ documentId: 'plan' }, { documentId: 'other' }]
    await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents })
    await ws.ok('/v2/organizations/documents/add', {
      organizationId: 'acme',
      folderId: 'f',
      documents: [{ documentId: 'inside' }],
    })
  })

  test('is denied public resources too, with the reason removed, for all of that organization', async () => {
    expect(await check('document', 'plan')).toMatchObject({ allowed: true })
    await remove()
    for (const [type, id] of [
      ['document', 'plan'],
      ['folder', 'f'],
      ['organization', 'acme'],
    ] as const)
      expect(await check(type, id)).toMatchObject({ allowed: false, accessRole: null, reason: 'removed' })
  })

  test('has lost that organization alone', async () => {
    await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'globex' }] })
    await ws.ok('/v2/organizations/documents/add', { organizationId: 'globex', documents: [{ documentId: 'd' }] })
    await remove()
    const checks = [{ userId: 'ben', resource: { type: 'document', id: 'd' }, action: 'view' }]
    const { data } = await ws.ok('/v2/auth/permissions/check', { organizationId: 'globex', checks })
    expect(data).toMatchObject([{ allowed: true, reason: 'public' }])
  })

  test('is back once added again, and may view and comment as before', async () => {
    await remove()
    await addAgain()
    expect(await check('document', 'plan')).toMatchObject({ allowed: true, reason: 'grant' })
    await remove()
    await ws.ok('/v2/auth/permissions/add', {
      user: ben,
      permissions: { resources: [{ type: 'organization', id: 'acme' }] },
    })
    expect(await check('document', 'plan')).toMatchObject({ allowed: true })
  })

  test('stays away by a grant that has ended already', async () => {
    await remove()
    await ws.ok('/v2/auth/permissions/add', {
      user: ben,
      permissions: { resources: [{ type: 'organization', id: 'acme', expiresAt: 1_700_000_000_000 }] },
    })
    expect(await check('document', 'plan')).toMatchObject({ allowed: false, reason: 'removed' })
  })

  // The embedded database runs one transaction after the other.
  test.runIf(process.env.TEST_DATABASE === 'postgres')('is back in full when added during the removal', async () => {
    await thread(mention)
    const { database } = service
    const calls = await database.transaction(async (db) => {
      await db.query(sql`select from comment_participant where api_key = ${ws.apiKey} for update`)
      const removing = remove()
      await untilWaiting(database, 1)
      const adding = addAgain()
      await untilWaiting(database, 2)
      return [removing, adding]
    })
    await Promise.all(calls)
    await reply(mention)
    expect(await inbox()).toHaveLength(2)
    expect((await subscribers()).sort()).toEqual(['ada', 'ben'])
  })

  test('gets back by a grant of one resource that resource only', async () => {
    await remove()
    await ws.ok('/v2/auth/permissions/add', {
      user: ben,
      permissions: { resources: [{ type: 'folder', id: 'f', organizationId: 'acme' }] },
    })
    expect(await check('document', 'inside')).toMatchObject({ allowed: true, reason: 'grant' })
    expect(await check('document', 'plan')).toMatchObject({ allowed: false, reason: 'removed' })
  })

  test('does not get back the notifications of a document by a grant of the folder of the same id', async () => {
    await thread(mention)
    await remove()
    await ws.ok('/v2/organizations/folders/add', { organizationId: 'acme', folders: [{ folderId: 'plan' }] })
    const grant = (type: string) =>
      ws.ok('/v2/auth/permissions/add', {
        user: ben,
        permissions: { resources: [{ type, id: 'plan', organizationId: 'acme' }] },
      })
    await grant('folder')
    expect(await inbox()).toEqual([])
    await grant('document')
    expect(await inbox()).toHaveLength(1)
  })

  test('is refused by verifyUserPermissions', async () => {
    await thread()
    await remove()
    const refused = await ws.call('/v2/commentannotations/comments/add', {
      ...place,
      annotationId: 't',
      verifyUserPermissions: true,
      commentData: [{ commentText: 'Still here', from: ben }],
    })
    expect(refused.body.error).toMatchObject({ status: 'PERMISSION_DENIED', message: expect.stringContaining('ben') })
  })

  test('is notified of nothing more, and the subscription ends at once', async () => {
    await thread(mention)
    expect(await inbox()).toHaveLength(1)
    expect((await subscribers()).sort()).toEqual(['ada', 'ben'])
    await remove()
    expect(await subscribers()).toEqual(['ada'])
    await reply()
    await reply(mention)
    await addAgain()
    expect((await inbox()).map(({ actionType }) => actionType)).toEqual(['newlyAdded'])
    expect(await subscribers()).toEqual(['ada'])
  })

  test('is subscribed to nothing by a plain write that names the user', async () => {
    await remove()
    await thread(mention)
    await ws.ok('/v2/commentannotations/update', { ...place, annotationIds: ['t'], subscribeUsers: [ben] })
    expect(await subscribers()).toEqual(['ada'])
    await addAgain()
    expect(await subscribers()).toEqual(['ada'])
    expect(await inbox()).toEqual([])
  })

  test('sees no stored notifications, which are not deleted; those of a granted resource are shown', async () => {
    await thread(mention)
    await ws.ok('/v2/commentannotations/add', {
      ...place,
      documentId: 'other',
      commentAnnotations: [{ commentData: [{ ...mention, from: ada }] }],
    })
    expect(await inbox()).toHaveLength(2)
    await remove()
    expect(await inbox()).toEqual([])
    await ws.ok('/v2/auth/permissions/add', {
      user: ben,
      permissions: { resources: [{ type: 'document', id: 'plan', organizationId: 'acme' }] },
    })
    expect(await inbox()).toHaveLength(1)
    await addAgain()
    expect(await inbox()).toHaveLength(2)
  })

  test('keeps what the user wrote, and users/data/get still covers it', async () => {
    await thread({ from: ben })
    await remove()
    const { data } = await ws.ok('/v2/users/data/get', { organizationId: 'acme', userId: 'ben' })
    expect(data.comments).toHaveLength(1)
  })
})

test('a user removed from an organization gets no email of it, those not yet delivered included', async () => {
  const mailing = await startMailing()
  await mailing.thread({}, mentioning(bob))
  await mailing.ws.ok('/v2/users/delete', { organizationId: 'acme', userIds: ['bob'] })
  expect(await mailing.sent()).toEqual([])
  await mailing.thread({}, mentioning(bob))
  expect(await mailing.sent()).toEqual([])
})
