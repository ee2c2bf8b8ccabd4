import { beforeEach, expect, test } from 'vitest'
import { ada, at, bob, newReview, type Review } from '../../../../test/review.ts'
import { startService } from '../../../../test/running-service.ts'
import { sql } from '../../../platform/db/db.ts'

let review: Review

beforeEach(async () => {
  review = await newReview(await startService())
})

/** Where the row of each participant of the API key stands. It stands elsewhere once it was written again. */
async function places(): Promise<Map<string, string>> {
  const { database } = await startService()
  const rows = await database.query<{ id: string; place: string }>(sql`
    select person ->> 'userId' as id, ctid::text as place from comment_participant where api_key = ${review.ws.apiKey}`)
  return new Map(rows.map(({ id, place }) => [id, place]))
}

test('a reply writes only who it changes', async () => {
  await review.thread('t')
  const mentioned = Array.from({ length: 20 }, (_, i) => ({ userId: `guest-${i}`, contact: { userId: `guest-${i}` } }))
  const first = [{ commentId: 2, commentText: 'Hello', from: bob, taggedUserContacts: mentioned }]
  await review.ok('comments/add', { annotationId: 't', commentData: first })
  const before = await places()
  expect(before.size).toBe(22)
  await review.ok('comments/add', { annotationId: 't', commentData: [{ commentId: 3, commentText: 'Yes', from: bob }] })
  const after = await places()
  expect([...after].filter(([id, place]) => before.get(id) !== place).map(([id]) => id)).toEqual(['bob'])
})

test('a change of what an unchanged participant is to the thread is written', async () => {
  await review.thread('t')
  await review.ok('comments/add', { annotationId: 't', commentData: [{ commentId: 2, commentText: 'Yes', from: bob }] })
  await review.ok('comments/delete', { annotationId: 't', commentIds: [2] })
  await review.ok('update', { annotationIds: ['t'], viewedByUserIds: [ada.userId] })
  const rows = await (await startService()).database.query(sql`
    select person ->> 'userId' as id, is_author as "isAuthor", viewed_at > 0 as "hasViewed"
    from comment_participant
    where api_key = ${review.ws.apiKey}
    order by 1`)
  expect(rows).toEqual([
    { id: 'ada', isAuthor: true, hasViewed: true },
    { id: 'bob', isAuthor: false, hasViewed: true },
  ])
})

test('who took part in a long thread, and how often it was written, are told right after every change', async () => {
  const people = Array.from({ length: 80 }, (_, n) => ({ userId: `user-${n}`, name: `User ${n}` }))
  // The same in each run.
  let seed = 7
  const below = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % most
  }
  const user = () => people[below(people.length)] ?? ada
  const mentions = () =>
    Array.from({ length: below(3) }, () => user()).map((contact) => ({ userId: contact.userId, contact }))
  const comment = (commentId?: number) => {
    const createdAt = 1_000_000 + below(1_000_000)
    return { ...(commentId && { commentId }), from: user(), createdAt, taggedUserContacts: mentions() }
  }
  await review.thread('t', {}, { from: user() })
  const written = async () => {
    const { data } = await review.ws.ok('/v2/commentannotations/comments/get', { ...at, annotationId: 't' })
    return data.flatMap((each) => each ?? [])
  }
  const ids = (list: { userId: string }[]) => [...new Set(list.map(({ userId }) => userId))].sort()
  let known = 0
  for (let round = 0; round < 40; round++) {
    const before = await written()
    // Often the first or the last are among them.
    const few = [before, before.slice(0, 3), before.slice(-3)][below(3)] ?? []
    const chosen = Array.from({ length: 1 + below(3) }, () => few[below(few.length)]?.commentId ?? 1)
    const kind = round < 6 ? 0 : below(6)
    if (kind <= 1) {
      const commentData = Array.from({ length: 1 + below(6) }, () => comment())
      await review.ok('comments/add', { annotationId: 't', commentData })
    } else if (kind === 2) {
      const { createdAt: _, ...updatedData } = comment()
      await review.ok('comments/update', { annotationId: 't', commentIds: chosen, updatedData })
    } else if (kind === 3 && new Set(chosen).size < before.length) {
      await review.ok('comments/delete', { annotationId: 't', commentIds: chosen })
    } else {
      const updates = [
        { updatedData: { from: user() } },
        { updatedData: { color: `color ${round}` } },
        { updateUsers: [{ oldUser: user(), newUser: user() }] },
      ]
      await review.ok('update', { annotationIds: ['t'], ...updates[below(3)] })
    }
    const comments = await written()
    const thread = await review.read('t')
    const mentioned = ids(comments.flatMap(({ to }) => to))
    expect([...thread.mentionedUserIds].sort()).toEqual(mentioned)
    expect([...thread.involvedUserIds].sort()).toEqual(
      ids([thread.from, ...comments.flatMap(({ from, to }) => [from, ...to])]),
    )
    const events = await review.events()
    for (const { advanced } of events.slice(known)) {
      const shown = advanced.data.commentAnnotation.comments.map(({ commentId }) => commentId)
      const all = comments.map(({ commentId }) => commentId)
      expect(shown).toEqual([...all.slice(0, 1), ...all.slice(1).slice(-9)])
      expect(advanced.data.commentAnnotation.commentsCount).toBe(all.length)
    }
    known = events.length
  }
})

test('the people of a thread have at most 32 MiB in all', async () => {
  await review.thread('t')
  await (await startService()).database.query(sql`
    insert into comment_participant (
      api_key, organization_key, annotation_key, user_key, person, is_author, is_mentioned, subscription)
    select api_key, organization_key, annotation_key, gen_random_uuid(),
      jsonb_build_object('userId', 'u' || n, 'name', 'U', 'photoUrl', repeat('p', 14000)), false, false, 'manual'
    from comment_participant, generate_series(1, 2366) n
    where api_key = ${review.ws.apiKey}`)
  const subscribe = (userId: string) =>
    review.call('update', {
      annotationIds: ['t'],
      triggerNotification: false,
      subscribeUsers: [{ userId, photoUrl: '界'.repeat(2_000) }],
    })
  const answers = [await subscribe('one more')]
  while (answers.length < 6 && answers.at(-1)?.status === 200) answers.push(await subscribe(`u ${answers.length}`))
  expect(answers.length).toBeGreaterThan(1)
  expect(answers.at(-1)?.body.error).toMatchObject({
    status: 'FAILED_PRECONDITION',
    message: expect.stringContaining('people of the annotation t would have more than 32 MiB'),
  })
  expect((await places()).size).toBe(2_366 + answers.length)
  // Who is among them still may take part.
  const comment = { commentId: 2, commentText: 'Yes', from: ada }
  expect((await review.call('comments/add', { annotationId: 't', commentData: [comment] })).status).toBe(200)
})
