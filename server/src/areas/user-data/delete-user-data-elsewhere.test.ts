import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { ungrouped } from '../../../test/answer.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

let service: Service
let ws: TestWorkspace

const ada = { userId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }
const bob = { userId: 'bob', name: 'Bob', email: 'bob@example.com' }
const cyd = { userId: 'cyd', name: 'Cyd', email: 'cyd@example.com' }
const place = { organizationId: 'acme', documentId: 'plan' }

beforeEach(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
  await ws.ok('/v2/workspace/emailconfig/update', { useEmailService: true, emailServiceConfig: { type: 'default' } })
  for (const organizationId of ['acme', 'beta']) {
    const documents = [{ documentId: 'plan' }]
    await ws.ok('/v2/organizations/documents/add', { organizationId, createOrganization: true, documents })
  }
})

const add = (commentAnnotations: object[], at: object = place) =>
  ws.ok('/v2/commentannotations/add', { ...at, commentAnnotations })
const update = (annotationId: string, updatedData: object, actionUser: object) =>
  ws.ok('/v2/commentannotations/update', { ...place, annotationIds: [annotationId], updatedData, actionUser })
const comment = (from: object, commentText: string, ...mentioned: { userId: string }[]) => ({
  from,
  commentText,
  taggedUserContacts: mentioned.map((contact) => ({ userId: contact.userId, contact })),
})

async function erase(data: { userIds: string[]; organizationIds?: string[] }) {
  const { body } = await ws.call('/v2/users/data/delete', data)
  await service.drainJobs()
  const { jobId } = body.result.data
  expect((await ws.ok('/v2/users/data/delete/status', { jobId })).data.isDeleteCompleted).toBe(true)
}

/** The data kept beside the records, each as its kind and its text. */
async function kept(kind: string): Promise<string[]> {
  const rows = await service.database.query<{ text: string }>(sql`
    select text
    from (
      select 'email' as kind, person::text as text from email where api_key = ${ws.apiKey}
      union all
      select 'activity', said::text from email_activity where api_key = ${ws.apiKey}
      union all
      select 'judgment', j::text from judgment j where api_key = ${ws.apiKey}
      union all
      select 'event', advanced::text || basic::text || processed::text from event where api_key = ${ws.apiKey}
    ) k
    where kind = ${kind}`)
  return rows.map(({ text }) => text)
}

test('what others decided on a thread that is erased goes with it, and on one that stays it stays', async () => {
  await add([
    { annotationId: 'hers', commentData: [comment(ada, 'Start of hers')] },
    { annotationId: 'answered', commentData: [comment(ada, 'Start of hers'), comment(bob, 'An answer')] },
  ])
  for (const id of ['hers', 'answered']) await update(id, { status: { id: 'REJECTED', type: 'terminal' } }, cyd)
  expect(await kept('judgment')).toHaveLength(2)
  await erase({ userIds: ['ada'] })
  const judgments = await kept('judgment')
  expect(judgments).toHaveLength(1)
  expect(judgments[0]).toContain('answered')
})

test('a thread that somebody else started goes with the last comments, which were hers', async () => {
  await add([
    { annotationId: 'his', commentData: [{ ...comment(bob, 'A start'), commentId: 1 }, comment(ada, 'An answer')] },
    { annotationId: 'kept', commentData: [comment(bob, 'A start'), comment(ada, 'An answer')] },
  ])
  await ws.ok('/v2/commentannotations/comments/delete', { ...place, annotationId: 'his', commentIds: [1] })
  await erase({ userIds: ['ada'] })
  const { data } = await ws.ok('/v2/commentannotations/get', { organizationId: 'acme' })
  expect(ungrouped(data).map((thread) => [thread?.annotationId, thread?.commentsCount])).toEqual([['kept', 1]])
})

const HERS = /"ada"|\{\{ada\}\}|Lovelace|ada@example|Over to|Start of hers/

test('emails, memory and events name the user nowhere and still tell of the others', async () => {
  await add([
    { annotationId: 'his', commentData: [comment(bob, 'Look {{ada}}', ada), comment(ada, 'Over to {{cyd}}', cyd)] },
    { annotationId: 'hers', commentData: [comment(ada, 'Start of hers'), comment(bob, 'Fine')] },
  ])
  // More events than one batch reads.
  await add(Array.from({ length: 600 }, () => ({ commentData: [comment(bob, 'Mine')] })))
  await update('his', { assignedTo: ada }, bob)
  await update('his', { assignedTo: cyd }, ada)
  await update('hers', { status: { id: 'APPROVED', type: 'terminal' } }, bob)
  await update('his', { status: { id: 'REJECTED', type: 'terminal' } }, ada)
  const events = await kept('event')
  for (const kind of ['email', 'activity', 'judgment', 'event'])
    expect([kind, (await kept(kind)).some((text) => HERS.test(text))]).toEqual([kind, true])
  await erase({ userIds: ['ada'] })
  for (const kind of ['email', 'activity', 'judgment', 'event'])
    expect([kind, (await kept(kind)).filter((text) => HERS.test(text))]).toEqual([kind, []])
  expect(await kept('email')).not.toEqual([])
  expect(await kept('activity')).toContainEqual(expect.stringContaining('"name": "Deleted user"'))
  expect(await kept('judgment')).toEqual([expect.stringContaining('Fine')])
  expect(await kept('event')).toHaveLength(events.length)
  expect(await kept('event')).toContainEqual(expect.stringMatching(/"name":"Deleted user".*"commentText":"Fine"/))
})

test('notifications of others name the user in none of their data', async () => {
  const told = (notificationId: string, about: object) =>
    ws.ok('/v2/notifications/add', {
      ...place,
      notificationId,
      actionUser: bob,
      notifyUsers: [cyd],
      displayHeadlineMessageTemplate: '{actionUser} chose {chosen}',
      displayHeadlineMessageTemplateData: { chosen: about },
      displayBodyMessage: 'It is up to Ada Lovelace now.',
      notificationSourceData: { reviewers: [{ userId: 'ada' }, { userId: 'cyd' }] },
    })
  await told('hers', ada)
  await told('his', bob)
  await erase({ userIds: ['ada'] })
  const { data } = await ws.ok('/v2/notifications/get', { organizationId: 'acme', userId: 'cyd' })
  expect(data.map(({ displayHeadlineMessage }) => displayHeadlineMessage).sort()).toEqual([
    'Bob chose Bob',
    'Bob chose Deleted user',
  ])
  expect(data.find(({ id }) => id === 'hers')?.displayBodyMessage).toBe('It is up to Deleted user now.')
  expect(JSON.stringify(data)).not.toMatch(/"ada"|ada@/)
})

test('notifications that are too large for one batch name the user in none of their data either', async () => {
  const displayed = { displayHeadlineMessageTemplate: 'Chosen', displayBodyMessage: 'It is up to them.' }
  for (let count = 0; count < 12; count++) {
    const reviewers = [{ userId: 'ada' }, { userId: 'cyd' }]
    const notificationSourceData = { reviewers, scan: randomBytes(75_000).toString('base64') }
    const told = { actionUser: bob, notifyUsers: [cyd], ...displayed, notificationSourceData }
    await ws.ok('/v2/notifications/add', { ...place, ...told })
  }
  await erase({ userIds: ['ada'] })
  const { data } = await ws.ok('/v2/notifications/get', { organizationId: 'acme', userId: 'cyd' })
  const reviewers = [{ userId: expect.stringMatching(/^erased_/), name: 'Deleted user' }, { userId: 'cyd' }]
  expect(data.map(({ notificationSourceData }) => notificationSourceData)).toEqual(
    Array.from({ length: 12 }, () => ({ reviewers, scan: expect.any(String) })),
  )
})

test('threads of others name the user in none of their fields', async () => {
  const own = { owner: ada, note: 'Ask Ada Lovelace' }
  const recorders = [{ from: ada }]
  const inThread = { context: own, targetElement: own, pageInfo: own, customList: [own] }
  const suggestion = { targetId: 'x', oldValue: own, newValue: own }
  await add([
    { annotationId: 'thread', ...inThread, type: 'suggestion', suggestion, commentData: [comment(bob, 'Look')] },
    { annotationId: 'comment', commentData: [{ ...comment(bob, 'Look'), context: own, recorders }] },
    // One more than a batch takes.
    ...Array.from({ length: 99 }, () => ({ context: own, commentData: [comment(bob, 'Look')] })),
  ])
  await erase({ userIds: ['ada'] })
  const { data } = await ws.ok('/v2/commentannotations/get', { organizationId: 'acme' })
  const threads = ungrouped(data)
  expect(threads).toHaveLength(101)
  expect(JSON.stringify(threads)).not.toMatch(HERS)
  const owner = { userId: expect.stringMatching(/^erased_/), name: 'Deleted user' }
  const thread = threads.find((found) => found?.annotationId === 'thread')
  expect(thread).toMatchObject({ from: bob, suggestion: { newValue: { owner, note: 'Ask Deleted user' } } })
})

test('in other organizations than those named it stays', async () => {
  await add([{ commentData: [comment(ada, 'Start of hers')] }])
  await add([{ commentData: [comment(ada, 'Start of hers')] }], { ...place, organizationId: 'beta' })
  const before = await kept('event')
  await erase({ userIds: ['ada'], organizationIds: ['acme'] })
  const after = await kept('event')
  expect(after.filter((text) => HERS.test(text))).toEqual(before.filter((text) => text.includes('"beta"')))
  expect(after).toHaveLength(2)
})

test('the mark of one mention is not found in what stands for another', async () => {
  const tagged = (contact: { userId: string }, text: string) => ({ userId: contact.userId, text, contact })
  const taggedUserContacts = [tagged(ada, 'Ada'), tagged(cyd, 'e')]
  await add([{ commentData: [{ from: bob, commentText: '{{ada}} or Ada: e?', taggedUserContacts }] }])
  await erase({ userIds: ['ada', 'cyd'] })
  const { data } = await ws.ok('/v2/commentannotations/get', { organizationId: 'acme' })
  expect(ungrouped(data)[0]?.comments[0]?.commentText).toBe('@Deleted user or @Deleted user: @Deleted user?')
})

// One by one, the thousand took a minute in which an embedded database served nobody.
test('a thousand users are erased as fast as one, also from large texts', { timeout: 20_000 }, async () => {
  const large = 'lorem ipsum '.repeat(2_000)
  await ws.ok('/v2/memory/judgments/add', {
    judgments: [`{{{{ada}} and {{x}}} and {{cyd}} and {{ada`, ...Array.from({ length: 100 }, () => large)].map(
      (content) => ({
        decision: 'approve',
        reasoning: 'Fine',
        content,
        actionUser: bob,
      }),
    ),
  })
  const threads = Array.from({ length: 150 }, () => ({ commentData: [comment(bob, large)] }))
  await add([{ commentData: [comment(ada, 'Start of hers')] }, ...threads.slice(0, 75)])
  await add(threads.slice(75))
  await erase({ userIds: ['ada', 'x}', ...Array.from({ length: 998 }, (_, i) => `nobody-${i}`)] })
  expect((await kept('event')).filter((text) => HERS.test(text))).toEqual([])
  expect(await kept('event')).toHaveLength(151)
  const said = (await kept('judgment')).filter((text) => text.includes('{{cyd}}'))
  expect(said).toEqual([expect.stringContaining('{{@Deleted user and @Deleted user and {{cyd}} and {{ada')])
})
