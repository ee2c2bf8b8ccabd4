import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ungrouped } from '../../../test/answer.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { raw, sql } from '../../platform/db/db.ts'

let service: Service
let ws: TestWorkspace

const ada = { userId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }
const bob = { userId: 'bob', name: 'Bob' }
const everywhere = { createOrganization: true, createDocument: true }

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  ws = await newWorkspace(service)
  for (const organizationId of ['acme', 'beta']) await ws.ok('/v2/users/add', { organizationId, users: [ada, bob] })
  await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true, immutable: true } })
  await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
  await ws.ok('/v2/workspace/emailconfig/update', { useEmailService: true, emailServiceConfig: { type: 'default' } })
})

/** Something of every kind that names Ada, in one organization. */
async function fill(organizationId: string) {
  const place = { organizationId, documentId: 'plan', ...everywhere }
  const tag = { userId: 'ada', text: '@Ada', contact: ada }
  await ws.ok('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [
      { annotationId: 'hers', commentData: [{ commentText: 'Only mine', from: ada }] },
      {
        annotationId: 'shared',
        commentData: [
          { commentText: 'My start', from: ada },
          { commentText: 'Thanks @Ada!', from: bob, taggedUserContacts: [tag], commentId: 7 },
        ],
      },
      { annotationId: 'his', assignedTo: ada, commentData: [{ commentText: 'Look', from: bob, commentId: 8 }] },
      { annotationId: 'his2', commentData: [{ commentText: 'Decided', from: bob }] },
    ],
  })
  await ws.ok('/v2/commentannotations/update', {
    ...place,
    annotationIds: ['his2'],
    updatedData: { status: { id: 'RESOLVED', name: 'Resolved', type: 'terminal' } },
    actionUser: ada,
  })
  await ws.ok('/v2/reactions/add', {
    ...place,
    annotationId: 'his',
    commentId: 8,
    reactions: [
      { reactionId: 'r1', icon: 'HEART', from: ada },
      { reactionId: 'r2', icon: 'HEART', from: bob },
    ],
  })
  await ws.ok('/v2/recordings/add', {
    ...place,
    recordings: [ada, bob].map((from) => ({
      annotationId: `by-${from.userId}`,
      recordingType: 'audio',
      mode: 'floating',
      recordedTime: { duration: 1 },
      attachments: [],
      from,
    })),
  })
  await ws.ok('/v2/notifications/add', {
    ...place,
    notificationId: 'both',
    actionUser: bob,
    displayHeadlineMessageTemplate: '{recipientUser}',
    displayHeadlineMessageTemplateData: { recipientUser: ada },
    displayBodyMessage: 'B',
    notifyUsers: [bob, ada],
  })
  await ws.ok('/v2/notifications/config/set', { organizationId, userIds: ['ada'], config: { email: 'ALL' } })
  await ws.ok('/v2/organizations/usergroups/add', {
    organizationId,
    organizationUserGroups: [{ groupId: 'g', groupName: 'G' }],
  })
  await ws.ok('/v2/organizations/usergroups/users/add', {
    organizationId,
    organizationUserGroupId: 'g',
    userIds: ['ada', 'bob'],
  })
  await ws.ok('/v2/users/add', { organizationId, documentId: 'plan', users: [ada] })
}

const get = (userId: string, more: object = {}) =>
  ws.ok('/v2/users/data/get', { organizationId: 'acme', userId, ...more })
const threads = async (organizationId = 'acme') =>
  ungrouped((await ws.ok('/v2/commentannotations/get', { organizationId, order: 'asc' })).data).filter(
    (thread) => thread !== null,
  )
const idsOf = (items: { annotationId?: string; id?: string }[]) =>
  items.map((item) => item.annotationId ?? item.id).sort()

describe('users/data/delete', () => {
  const remove = async (data: object) => {
    const answer = await ws.call('/v2/users/data/delete', data)
    expect(answer.status).toBe(202)
    return answer.body.result.data
  }
  const status = async (jobId: string) => (await ws.ok('/v2/users/data/delete/status', { jobId })).data

  test('answers 202 in the usual envelope; status tells how far it is', async () => {
    const answer = await ws.call('/v2/users/data/delete', { userIds: ['ada'] })
    expect(answer.status).toBe(202)
    expect(answer.body.result).toEqual({
      status: 'success',
      message: 'Data deletion process has been initiated.',
      data: { jobId: expect.any(String), tasksCount: expect.any(Number) },
    })
    const { jobId, tasksCount } = answer.body.result.data
    expect(await status(jobId)).toEqual({
      isDeleteCompleted: false,
      tasksLeft: tasksCount,
      lastTaskCompletedTime: null,
    })
    await service.drainJobs()
    expect(await status(jobId)).toEqual({
      isDeleteCompleted: true,
      tasksLeft: 0,
      lastTaskCompletedTime: expect.any(Number),
    })
    expect((await ws.call('/v2/users/data/delete/status', { jobId: 'del_none' })).body.error.status).toBe('NOT_FOUND')
    const other = await newWorkspace(service)
    expect((await other.call('/v2/users/data/delete/status', { jobId })).body.error.status).toBe('NOT_FOUND')
  })

  test('an empty list means none', async () => {
    for (const data of [{ userIds: [] }, { userIds: ['ada'], organizationIds: [] }]) {
      const { jobId, tasksCount } = await remove(data)
      expect(tasksCount).toBe(0)
      expect((await status(jobId)).isDeleteCompleted).toBe(true)
    }
    await service.drainJobs()
    expect((await ws.ok('/v2/users/get', { organizationId: 'acme', userIds: ['ada'] })).data).toHaveLength(1)
  })

  test('removes comments, mentions, assignments, reactions, recordings, notifications and access, not those of others', async () => {
    await fill('acme')
    await remove({ userIds: ['ada'] })
    await service.drainJobs()
    const erased = expect.objectContaining({ userId: expect.stringMatching(/^erased_/), name: 'Deleted user' })
    const all = await threads()
    expect(idsOf(all)).toEqual(['his', 'his2', 'shared'])
    const [his, his2, shared] = ['his', 'his2', 'shared'].map((id) => all.find((thread) => thread.annotationId === id))
    expect(shared?.from).toEqual(erased)
    expect(shared?.comments).toHaveLength(1)
    expect(shared?.comments[0]).toMatchObject({ commentText: 'Thanks @Deleted user!', to: [], taggedUserContacts: [] })
    expect(his?.assignedTo).toBeUndefined()
    expect(his?.comments[0]?.reactionAnnotationIds).toEqual(['r2'])
    expect(his2?.resolvedByUser).toEqual(erased)
    const none = { user: null, comments: [], reactions: [], recordings: [], notifications: [] }
    expect((await get('ada')).data).toEqual(none)
    expect(idsOf((await ws.ok('/v2/recordings/get', { organizationId: 'acme' })).data)).toEqual(['by-bob'])
    const bobs = (await ws.ok('/v2/notifications/get', { organizationId: 'acme', userId: 'bob' })).data
    const both = bobs.find(({ id }) => id === 'both')
    expect(both?.displayHeadlineMessage).toBe('Bob')
    expect(bobs.filter((n) => n.actionUser?.userId !== 'bob')).toEqual([])
    const { data: users } = await ws.ok('/v2/users/get', { organizationId: 'acme' })
    expect(ungrouped(users).map(({ userId }) => userId)).toEqual(['bob'])
  })

  test('activities stay under a pseudonym and the log stays verifiable', async () => {
    await fill('acme')
    const activities = async () => (await ws.ok('/v2/activities/get', { organizationId: 'acme' })).data
    const before = (await activities()).length
    await remove({ userIds: ['ada'] })
    await service.drainJobs()
    const after = await activities()
    expect(after).toHaveLength(before)
    expect(JSON.stringify(after)).not.toMatch(/"ada"|Lovelace|ada@example/)
    expect((await ws.ok('/v2/activities/verify', { organizationId: 'acme' })).data.valid).toBe(true)
  })

  test('no table names the user any more', async () => {
    await fill('acme')
    const place = { organizationId: 'acme', documentId: 'plan', actionUser: bob }
    const commentData = [{ commentText: 'Fine by {{ada}}?', from: bob }]
    await ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations: [{ annotationId: 'asks', commentData }] })
    const updatedData = { status: { id: 'RESOLVED', name: 'Resolved', type: 'terminal' } }
    await ws.ok('/v2/commentannotations/update', { ...place, annotationIds: ['asks'], updatedData })
    await remove({ userIds: ['ada'] })
    await service.drainJobs()
    const tables = await service.database.query<{ name: string }>(sql`
      select c.table_name as name
      from information_schema.columns c
      where c.table_schema = 'public' and c.column_name = 'api_key'`)
    const naming = []
    for (const { name } of tables) {
      const [row] = await service.database.query<{ count: number }>(sql`
        select count(*) as count
        from ${raw(`"${name}"`)} t
        where api_key = ${ws.apiKey} and t::text like any(${['%Lovelace%', '%ada@example%', '%"ada"%', '%{{ada}}%']}::text[])`)
      if (row?.count) naming.push(name)
    }
    expect(naming).toEqual([])
    const { results } = await ws.ok('/v2/memory/search', { query: 'deleted', embeddingType: 'content' })
    expect(results).toMatchObject([{ actionUser: { userId: 'bob' }, reasoning: 'Fine by @Deleted user?' }])
  })

  test('recordings of others no longer name the user', async () => {
    await fill('acme')
    const transcription = { from: ada, transcriptedText: 'Hello' }
    const recordings = [{ annotationId: 'by-bob', transcription, recordingEditVersions: { 1: { from: ada } } }]
    await ws.ok('/v2/recordings/update', { organizationId: 'acme', documentId: 'plan', recordings })
    await remove({ userIds: ['ada'] })
    await service.drainJobs()
    const from = expect.objectContaining({ userId: expect.stringMatching(/^erased_/), name: 'Deleted user' })
    expect((await ws.ok('/v2/recordings/get', { organizationId: 'acme' })).data).toMatchObject([
      { transcription: { from, transcriptedText: 'Hello' }, recordingEditVersions: { 1: { from } } },
    ])
  })

  test('contacts of others no longer name the user once the profile is gone', async () => {
    const others = [{ userId: 'cyd', email: 'cyd@example.com' }, { email: 'nobody@example.com' }]
    const [first, second] = others
    const contacts = [first, ada, second]
    await ws.ok('/v2/users/update', { organizationId: 'acme', users: [{ ...bob, contacts }] })
    const contactsOfBob = async () => {
      const { data } = await ws.ok('/v2/users/get', { organizationId: 'acme', userIds: ['bob'] })
      return ungrouped(data)[0]?.contacts
    }
    await remove({ userIds: ['ada'], organizationIds: ['acme'] })
    await service.drainJobs()
    expect(await contactsOfBob()).toEqual(contacts)
    await remove({ userIds: ['ada'] })
    await service.drainJobs()
    expect(await contactsOfBob()).toEqual(others)
  })

  test('organizationIds narrow it: elsewhere everything stays, and so does the profile', async () => {
    await fill('acme')
    await fill('beta')
    const before = (await get('ada', { organizationId: 'beta' })).data
    await remove({ userIds: ['ada'], organizationIds: ['acme', 'nowhere'] })
    await service.drainJobs()
    expect(idsOf(await threads())).toEqual(['his', 'his2', 'shared'])
    expect((await get('ada', { organizationId: 'beta' })).data).toEqual(before)
    expect((await ws.ok('/v2/users/get', { organizationId: 'beta', userIds: ['ada'] })).data).toHaveLength(1)
    expect((await ws.ok('/v2/users/get', { organizationId: 'acme', userIds: ['ada'] })).data).toEqual([])
  })

  test('goes on after an interruption: a batch that fails changes nothing and is tried again', async () => {
    const place = { organizationId: 'acme', documentId: 'plan', ...everywhere, triggerNotification: false }
    const ids = Array.from({ length: 250 }, (_, index) => `t${index}`)
    await ws.ok('/v2/commentannotations/add', {
      ...place,
      commentAnnotations: ids.map((annotationId) => ({ annotationId, commentData: [{ commentText: 'x', from: ada }] })),
    })
    // The second batch of comments fails, as if its process had died before the commit.
    await service.database.script(`
      create function fail_below() returns trigger language plpgsql as $$
      begin
        if (select count(*) from comment_annotation where api_key = '${ws.apiKey}') between 1 and 100 then
          raise exception 'interrupted';
        end if;
        return null;
      end $$;
      create trigger interrupt after delete on comment_annotation for each statement execute function fail_below();`)
    try {
      const { jobId, tasksCount } = await remove({ userIds: ['ada'] })
      await service.drainJobs()
      expect(await threads()).toHaveLength(150)
      expect(await status(jobId)).toMatchObject({ isDeleteCompleted: false, tasksLeft: tasksCount - 1 })
      await service.database.script('drop trigger interrupt on comment_annotation')
      service.clock.ahead += 3_600_000
      await service.drainJobs()
      expect(await threads()).toEqual([])
      expect(await status(jobId)).toMatchObject({ isDeleteCompleted: true, tasksLeft: 0 })
    } finally {
      await service.database.script(`
        drop trigger if exists interrupt on comment_annotation;
        drop function fail_below;`)
    }
  })
})
