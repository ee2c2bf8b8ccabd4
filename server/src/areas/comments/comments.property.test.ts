import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import type { CommentAnnotation } from './thread/annotation.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})

const PLACE = { organizationId: 'o', documentId: 'd' }
const THREAD = { ...PLACE, annotationId: 't' }

interface Model {
  id: number
  from: string
  to: string[]
  text: string
  reactions: string[]
}

const userId = fc.constantFrom('ada', 'bo', 'cy', 'di', '__proto__')
const commentId = fc.integer({ min: 1, max: 24 })
const ids = fc.uniqueArray(commentId, { minLength: 1, maxLength: 4 })
const reactionId = fc.constantFrom('r1', 'r2', 'r3')
const mentioned = fc.uniqueArray(userId, { maxLength: 2 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), ids, from: userId, to: mentioned }),
  fc.record({ kind: fc.constant('update' as const), ids, from: fc.option(userId, { nil: undefined }), to: mentioned }),
  fc.record({ kind: fc.constant('delete' as const), ids }),
  fc.record({ kind: fc.constant('react' as const), id: commentId, reactionId }),
  fc.record({ kind: fc.constant('unreact' as const), reactionId }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const contacts = (to: string[]) => to.map((userId) => ({ userId, contact: { userId } }))
const toData = ({ id, from, to, text }: Omit<Model, 'reactions'>) => ({
  commentId: id,
  commentText: text,
  from: { userId: from },
  taggedUserContacts: contacts(to),
})

/** The comments after a step, as the contract says. */
function applied(comments: Model[], step: Step, text: string): Model[] {
  if (step.kind === 'delete') return comments.filter(({ id }) => !step.ids.includes(id))
  if (step.kind === 'add') {
    const free = step.ids.filter((id) => !comments.some((comment) => comment.id === id))
    return [...comments, ...free.map((id) => ({ id, from: step.from, to: step.to, text, reactions: [] }))]
  }
  if (step.kind === 'react') {
    if (comments.some(({ reactions }) => reactions.includes(step.reactionId))) return comments
    return comments.map((comment) => {
      return comment.id === step.id ? { ...comment, reactions: [...comment.reactions, step.reactionId] } : comment
    })
  }
  if (step.kind === 'unreact') {
    const rest = (reactions: string[]) => reactions.filter((id) => id !== step.reactionId)
    return comments.map((comment) => ({ ...comment, reactions: rest(comment.reactions) }))
  }
  return comments.map((comment) => {
    return step.ids.includes(comment.id) ? { ...comment, from: step.from ?? comment.from, to: step.to, text } : comment
  })
}

async function perform(ws: TestWorkspace, step: Step, text: string): Promise<void> {
  const { kind } = step
  if (kind === 'delete') {
    await ws.ok('/v2/commentannotations/comments/delete', { ...THREAD, commentIds: step.ids })
  } else if (kind === 'add') {
    const commentData = step.ids.map((id) => toData({ id, from: step.from, to: step.to, text }))
    await ws.ok('/v2/commentannotations/comments/add', { ...THREAD, commentData })
  } else if (kind === 'update') {
    const from = step.from && { userId: step.from }
    const updatedData = { commentText: text, taggedUserContacts: contacts(step.to), ...(from && { from }) }
    await ws.ok('/v2/commentannotations/comments/update', { ...THREAD, commentIds: step.ids, updatedData })
  } else if (kind === 'react') {
    const reactions = [{ reactionId: step.reactionId, icon: 'heart', from: { userId: 'cy' } }]
    // Of a comment that there is not, it is refused.
    await ws.call('/v2/reactions/add', { ...THREAD, commentId: step.id, reactions })
  } else {
    await ws.ok('/v2/reactions/delete', { ...PLACE, reactionIds: [step.reactionId] })
  }
}

/** What is shown of a thread: its comments, and who is what to it. */
const shownOf = (thread: CommentAnnotation) => ({
  comments: thread.comments.map(({ commentId, from, to, commentText, reactionAnnotationIds }) => ({
    id: commentId,
    from: from.userId,
    to: to.map(({ userId }) => userId),
    text: commentText,
    reactions: [...reactionAnnotationIds].sort(),
  })),
  commentsCount: thread.commentsCount,
  involved: [...thread.involvedUserIds].sort(),
  mentioned: [...thread.mentionedUserIds].sort(),
})

/** The same by the contract: of a thread that ada began, with these of its comments. */
const expectedOf = (all: Model[], comments: Model[]): ReturnType<typeof shownOf> => ({
  comments: comments.map((comment) => ({ ...comment, reactions: [...comment.reactions].sort() })),
  commentsCount: all.length,
  involved: [...new Set(['ada', ...all.flatMap(({ from, to }) => [from, ...to])])].sort(),
  mentioned: [...new Set(all.flatMap(({ to }) => to))].sort(),
})

/** The thread in the latest event. */
async function latestEvent({ apiKey }: TestWorkspace) {
  const [event] = await service.database.query<{ id: string; thread: CommentAnnotation }>(sql`
    select id, advanced #> '{data,commentAnnotation}' as thread
    from event
    where api_key = ${apiKey}
    order by id desc
    limit 1`)
  return event
}

test('whatever is added, edited, deleted and reacted to, a thread and its events show what is left and whom it names', async () => {
  const started = Array.from(
    { length: 14 },
    (_, n): Model => ({ id: n + 1, from: 'ada', to: [], text: `${n}`, reactions: [] }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10, size: 'max' }), async (steps) => {
      const ws = await newWorkspace(service)
      const commentAnnotations = [{ annotationId: 't', commentData: started.map(toData) }]
      const created = { createOrganization: true, createDocument: true }
      await ws.ok('/v2/commentannotations/add', { ...PLACE, ...created, commentAnnotations })
      let comments = started
      for (const [index, each] of steps.entries()) {
        const before = await latestEvent(ws)
        await perform(ws, each, `text ${index}`)
        comments = applied(comments, each, `text ${index}`)
        const [thread] = (await ws.ok('/v2/commentannotations/get', PLACE)).data as CommentAnnotation[]
        if (!thread) expect([each, comments]).toEqual([each, []])
        if (!thread) return
        expect([each, shownOf(thread)]).toEqual([each, expectedOf(comments, comments)])
        const event = await latestEvent(ws)
        if (!event || event.id === before?.id) continue
        const some = [...comments.slice(0, 1), ...comments.slice(1).slice(-9)]
        expect([each, shownOf(event.thread)]).toEqual([each, expectedOf(comments, some)])
      }
    }),
    { numRuns: 20 },
  )
}, 60_000)
