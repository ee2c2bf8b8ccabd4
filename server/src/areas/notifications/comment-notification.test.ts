import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

let service: Service
let ws: TestWorkspace

const place = { organizationId: 'acme', documentId: 'plan' }
const [ada, bob, cyd, dan, eve] = ['ada', 'bob', 'cyd', 'dan', 'eve'].map((userId) => ({ userId }))

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  ws = await newWorkspace(service)
  await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
  await ws.ok('/v2/users/add', { organizationId: 'acme', users: [ada, bob, cyd, dan] })
  await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'plan' }] })
})

const start = async (more: object = {}, first: object = {}, switches: object = {}) => {
  const commentData = [{ commentText: 'Hello', from: ada, ...first }]
  const { data } = await ws.ok('/v2/commentannotations/add', {
    ...place,
    ...switches,
    commentAnnotations: [{ annotationId: 't', commentData, ...more }],
  })
  if (!data.t?.success) throw new Error(data.t?.message)
  return data.t.commentIds?.[0]
}
const reply = (from: unknown, more: object = {}) =>
  ws.ok('/v2/commentannotations/comments/add', {
    ...place,
    annotationId: 't',
    commentData: [{ commentText: 'Reply', from, ...more }],
  })
const update = (updatedData: object | undefined, more: object = {}) =>
  ws.ok('/v2/commentannotations/update', { ...place, annotationIds: ['t'], updatedData, ...more })
const inbox = async (userId: string) =>
  (await ws.ok('/v2/notifications/get', { organizationId: 'acme', userId, order: 'asc' })).data
const typesFor = async (userId: string) => (await inbox(userId)).map(({ actionType }) => actionType)

test('the author, participants, mentioned, assigned and subscribed users are notified, the actor is not', async () => {
  await start({ assignedTo: cyd }, { taggedUserContacts: [{ userId: 'dan', contact: dan }] })
  expect(await typesFor('ada')).toEqual([])
  expect(await typesFor('cyd')).toEqual(['newlyAdded'])
  expect(await typesFor('dan')).toEqual(['newlyAdded'])
  await reply(bob)
  for (const userId of ['ada', 'cyd', 'dan']) expect((await typesFor(userId)).at(-1)).toBe('added')
  expect(await typesFor('bob')).toEqual([])
  await update(undefined, { subscribeUsers: [eve], triggerNotification: false })
  await reply(ada)
  expect(await typesFor('bob')).toEqual(['added'])
  expect(await typesFor('eve')).toEqual(['added'])
})

test('a notification tells what happened, where and to which thread', async () => {
  const commentId = await start({ location: { id: 'x' } }, { taggedUserContacts: [{ userId: 'bob', contact: bob }] })
  expect(await inbox('bob')).toEqual([
    expect.objectContaining({
      notificationSource: 'comment',
      actionType: 'newlyAdded',
      actionUser: expect.objectContaining(ada ?? {}),
      displayHeadlineMessage: 'ada started a thread',
      displayHeadlineMessageTemplateData: {
        actionUser: expect.objectContaining(ada ?? {}),
        recipientUser: expect.objectContaining(bob ?? {}),
        actionMessage: 'started a thread',
      },
      displayBodyMessage: 'Hello',
      notificationSourceData: { annotationId: 't', commentId },
      targetAnnotationId: 't',
      forYou: true,
      isUnread: true,
      metadata: expect.objectContaining({ documentId: 'plan', location: { id: 'x' } }),
    }),
  ])
})

test('nothing is created while the service is off, for a silenced write or for a trigger that is off', async () => {
  const tagged = { taggedUserContacts: [{ userId: 'bob', contact: bob }] }
  await start({}, tagged, { triggerNotification: false })
  await ws.ok('/v2/workspace/notificationconfig/update', {
    notificationServiceConfig: { triggers: { comment: { added: false } } },
  })
  await reply(ada)
  await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: false })
  await update({ status: { id: 'RESOLVED', name: 'Resolved', type: 'terminal' }, actionUser: ada })
  expect(await typesFor('bob')).toEqual([])
})

test('whoever unsubscribed is told only of what mentions them', async () => {
  await start()
  await reply(bob)
  await update(undefined, { unsubscribeUsers: [bob], triggerNotification: false })
  await reply(ada)
  expect(await typesFor('bob')).toEqual([])
  await reply(ada, { taggedUserContacts: [{ userId: 'bob', contact: bob }] })
  expect(await typesFor('bob')).toEqual(['added'])
})

test('preferences are obeyed: ALL, MINE without mere subscriptions, NONE; a document overrides the organization', async () => {
  const set = (userId: string, level: string, documentIds?: string[]) =>
    ws.ok('/v2/notifications/config/set', {
      organizationId: 'acme',
      userIds: [userId],
      documentIds,
      config: { inbox: level },
    })
  await set('bob', 'MINE')
  await set('cyd', 'MINE')
  await set('dan', 'ALL')
  await set('dan', 'NONE', ['plan'])
  await start({}, { taggedUserContacts: [bob, dan].map((contact) => ({ userId: contact?.userId, contact })) })
  await update(undefined, { subscribeUsers: [cyd, eve], triggerNotification: false })
  await reply(ada)
  expect(await typesFor('bob')).toEqual(['newlyAdded'])
  await reply(bob, { taggedUserContacts: [] })
  await reply(ada)
  expect(await typesFor('bob')).toEqual(['newlyAdded', 'added'])
  expect(await typesFor('cyd')).toEqual([])
  expect(await typesFor('dan')).toEqual([])
  const [forEve] = await inbox('eve')
  expect(forEve).toMatchObject({ actionType: 'added', forYou: false })
})

describe('visibility', () => {
  beforeEach(() => ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true }))

  test('a restricted thread is told only to those admitted', async () => {
    const taggedUserContacts = [bob, cyd].map((contact) => ({ userId: contact?.userId, contact }))
    await start({ visibility: { type: 'restricted', userIds: ['bob'] } }, { taggedUserContacts })
    expect(await typesFor('bob')).toEqual(['newlyAdded'])
    expect(await typesFor('cyd')).toEqual([])
  })

  test('a thread private to an organization is told only to its users', async () => {
    const taggedUserContacts = [bob, eve].map((contact) => ({ userId: contact?.userId, contact }))
    await start({ visibility: { type: 'organizationPrivate' } }, { taggedUserContacts })
    expect(await typesFor('bob')).toEqual(['newlyAdded'])
    expect(await typesFor('eve')).toEqual([])
  })

  test('whoever is shut out later loses the notifications of the thread', async () => {
    const taggedUserContacts = [bob, cyd].map((contact) => ({ userId: contact?.userId, contact }))
    await start({}, { taggedUserContacts })
    await update({ visibility: { type: 'restricted', userIds: ['bob'] } })
    expect(await typesFor('bob')).toEqual(['newlyAdded'])
    expect(await typesFor('cyd')).toEqual([])
  })
})

test('only those who have access to the document are told', async () => {
  await ws.ok('/v2/organizations/documents/access/update', {
    organizationId: 'acme',
    documentIds: ['plan'],
    accessType: 'restricted',
  })
  await ws.ok('/v2/users/add', { ...place, users: [cyd] })
  const taggedUserContacts = [bob, cyd].map((contact) => ({ userId: contact?.userId, contact }))
  await start({}, { taggedUserContacts })
  expect(await typesFor('bob')).toEqual([])
  expect(await typesFor('cyd')).toEqual(['newlyAdded'])
})

test('a notification shows the names of the people whom the comment mentions', async () => {
  await ws.ok('/v2/users/add', { organizationId: 'acme', users: [{ ...bob, name: 'Bob Stone' }] })
  const taggedUserContacts = [bob, cyd].map((contact) => ({ userId: contact?.userId }))
  await start({}, { commentText: '{{bob}}, ask {{cyd}} or {{nobody}}', taggedUserContacts })
  expect((await inbox('bob'))[0]?.displayBodyMessage).toBe('@Bob Stone, ask @cyd or {{nobody}}')
})

test('a notification of a comment that is HTML alone shows its text', async () => {
  const taggedUserContacts = [{ userId: 'bob', contact: bob }]
  const commentHtml = '<p>One &lt; <b>two</b></p>'
  const commentAnnotations = [{}, { commentText: '' }].map((text) => ({
    commentData: [{ from: ada, ...text, commentHtml, taggedUserContacts }],
  }))
  await ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations })
  expect((await inbox('bob')).map(({ displayBodyMessage }) => displayBodyMessage)).toEqual(['One < two', 'One < two'])
})

test('many mentions of a long name do not make a notification long', async () => {
  await ws.ok('/v2/users/add', { organizationId: 'acme', users: [{ ...bob, name: 'Bob'.padEnd(500, 'b') }] })
  await start({}, { commentText: '{{bob}}'.repeat(10_000) })
  expect((await inbox('bob'))[0]?.displayBodyMessage).toHaveLength(65_536)
})

test('a notification shows the comment as it is now, and goes with its comment and its thread', async () => {
  const commentId = await start({}, { taggedUserContacts: [{ userId: 'bob', contact: bob }] })
  const comment = { ...place, annotationId: 't', commentIds: [commentId] }
  await ws.ok('/v2/commentannotations/comments/update', {
    ...comment,
    updatedData: { commentText: 'Changed' },
    triggerNotification: false,
  })
  expect((await inbox('bob'))[0]?.displayBodyMessage).toBe('Changed')
  await reply(ada)
  await ws.ok('/v2/commentannotations/comments/delete', { ...comment, triggerNotification: false })
  expect(await typesFor('bob')).toEqual(['added'])
  await ws.ok('/v2/commentannotations/delete', { ...place, annotationIds: ['t'] })
  expect(await typesFor('bob')).toEqual(['deleted'])
})

test('status changes, assignments and reactions are told, with what they changed', async () => {
  const commentId = await start()
  await update({ assignedTo: bob, actionUser: ada })
  await update({ status: { id: 'RESOLVED', name: 'Resolved', type: 'terminal' }, actionUser: ada })
  await ws.ok('/v2/reactions/add', {
    ...place,
    annotationId: 't',
    commentId,
    reactions: [{ icon: 'HEART', from: bob }],
  })
  expect(await typesFor('bob')).toEqual(expect.arrayContaining(['assigned', 'statusChanged']))
  const headlines = (await inbox('bob')).map((n) => n.displayHeadlineMessage)
  expect(headlines).toContainEqual(expect.stringMatching(/changed the status of a thread to Resolved$/))
  expect((await inbox('ada')).at(-1)?.displayHeadlineMessage).toBe('bob reacted HEART to a comment')
})

test('a notification says that an assignee or a priority was taken back', async () => {
  await start({ assignedTo: bob, priority: { id: 'P1', name: 'High' } })
  await update({ assignedTo: null, priority: null }, { actionUser: ada })
  const headlines = (await inbox('bob')).map(({ displayHeadlineMessage }) => displayHeadlineMessage)
  expect(headlines.slice(1).sort()).toEqual(['ada removed the priority of a thread', 'ada unassigned a thread'])
})

describe('a mention of a large group', () => {
  const mention = (threads: number) =>
    ws.call('/v2/commentannotations/add', {
      ...place,
      commentAnnotations: Array.from({ length: threads }, (_, n) => ({
        annotationId: `t${n}`,
        commentData: [
          { commentText: 'All', from: ada, toOrganizationUserGroup: [{ groupId: 'all' }, { groupId: 'all' }] },
        ],
      })),
    })
  const members = Array.from({ length: 1_000 }, (_, n) => `m${n}`)

  beforeEach(async () => {
    await ws.ok('/v2/organizations/usergroups/add', {
      organizationId: 'acme',
      organizationUserGroups: [{ groupId: 'all' }],
    })
    for (const userIds of [members, ['bob']]) {
      await ws.ok('/v2/users/add', { organizationId: 'acme', users: userIds.map((userId) => ({ userId })) })
      const group = { organizationId: 'acme', organizationUserGroupId: 'all', userIds }
      await ws.ok('/v2/organizations/usergroups/users/add', group)
    }
  })

  test('reaches each member once with each comment', async () => {
    expect((await mention(2)).status).toBe(200)
    for (const userId of ['m0', 'm500', 'm999', 'bob']) expect(await typesFor(userId)).toHaveLength(2)
    const rows = await service.database.query(sql`select from notification_recipient where api_key = ${ws.apiKey}`)
    expect(rows).toHaveLength(2_002)
  })

  test('is refused, and nothing written, where it would notify more than 100,000 times', async () => {
    const { body } = await mention(100)
    expect(body.error).toMatchObject({ status: 'FAILED_PRECONDITION', message: expect.stringContaining('100000') })
    expect((await ws.ok('/v2/commentannotations/get', place)).data).toEqual([])
    expect(await inbox('bob')).toEqual([])
  })
})

test('many notifications repeat no large context and location of their thread, but where it is and who sees it', async () => {
  const note = 'x'.repeat(100_000)
  await start({ location: { id: 'here', note }, context: { access: { team: 'a' }, note } })
  await ws.ok('/v2/users/update', { organizationId: 'acme', users: [{ userId: 'ada', accessFields: ['team:a'] }] })
  await ws.ok('/v2/commentannotations/comments/add', {
    ...place,
    annotationId: 't',
    commentData: Array.from({ length: 200 }, () => ({ commentText: 'Reply', from: bob })),
  })
  const records = await inbox('ada')
  expect(records).toHaveLength(200)
  for (const { context } of records) expect(context).toMatchObject({ access: { team: 'a' }, isAbridged: true })
  for (const { metadata } of records) expect(metadata).toMatchObject({ location: { id: 'here', isAbridged: true } })
  expect(JSON.stringify(records).length).toBeLessThan(1024 * 1024)
})

test('many notifications that would repeat a very large context.access are refused', async () => {
  const access = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`team-${i}`, 'a'.repeat(500)]))
  const accessFields = Object.entries(access).map(([name, value]) => `${name}:${value}`)
  await start({ context: { access } })
  await ws.ok('/v2/users/update', { organizationId: 'acme', users: [{ userId: 'ada', accessFields }] })
  const reply = await ws.call('/v2/commentannotations/comments/add', {
    ...place,
    annotationId: 't',
    commentData: Array.from({ length: 400 }, () => ({ commentText: 'Reply', from: bob })),
  })
  expect(reply).toMatchObject({ status: 400, body: { error: { status: 'FAILED_PRECONDITION' } } })
  const { data } = await ws.ok('/v2/commentannotations/comments/get', { ...place, annotationId: 't' })
  expect(data).toHaveLength(1)
})
