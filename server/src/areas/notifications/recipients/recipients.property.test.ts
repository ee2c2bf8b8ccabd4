import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { ungrouped } from '../../../../test/answer.ts'
import { newWorkspace, type Service, startService } from '../../../../test/running-service.ts'
import { sql } from '../../../platform/db/db.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})

const USERS = ['u0', 'u%', '"é']
const user = fc.constantFrom(...USERS)
const id = fc.constantFrom('t', 'T')
const comment = fc.constantFrom(1, 2)
const mentioned = fc.option(user, { nil: undefined })
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('start'), id, comment, user, mentioned }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reply'), id, comment, user, mentioned }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit'), id, comment, user, mentioned }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), id, comment, user }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('react'), id, comment, user }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave'), user }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('join'), user }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
type Mentioning = Extract<Step, { mentioned: unknown }>

interface Thread {
  author: string
  comments: Map<number, { from: string; text: string }>
  subscribed: Set<string>
}

interface Told {
  type: string
  id: string
  comment: number | undefined
  actor: string
  to: Set<string>
}

const textOf = ({ kind, mentioned }: Mentioning) => `${kind}${mentioned === undefined ? '' : ` {{${mentioned}}}`}`
const mentionedIn = (text: string) => USERS.filter((each) => text.includes(`{{${each}}}`))

/** What the contract says becomes of threads, and who is told what. */
class Model {
  readonly threads = new Map<string, Thread>()
  readonly removed = new Set<string>()
  readonly events: string[] = []
  told: Told[] = []

  private tell(type: string, step: { id: string; comment?: number; user: string }, mentioned: string[] = []): void {
    const { id, comment, user } = step
    this.events.push(JSON.stringify([type, id, comment ?? null, user]))
    const thread = this.threads.get(id)
    if (!thread) return
    const authors = [...thread.comments.values()].map(({ from }) => from)
    const concerned = [thread.author, ...authors, ...mentioned, ...thread.subscribed]
    const to = new Set(concerned.filter((each) => each !== user && !this.removed.has(each)))
    if (to.size > 0) this.told.push({ type, id, comment, actor: user, to })
  }

  /** Who writes in a thread or is mentioned there is subscribed to it, except who was removed. */
  private subscribe({ author, comments, subscribed }: Thread): void {
    const people = [...comments.values()].flatMap(({ from, text }) => [from, ...mentionedIn(text)])
    for (const each of [author, ...people]) if (!this.removed.has(each)) subscribed.add(each)
  }

  apply(step: Step): void {
    const { kind, user } = step
    if (kind === 'join') this.removed.delete(user)
    if (kind === 'leave' && !this.removed.has(user)) {
      this.removed.add(user)
      for (const { subscribed } of this.threads.values()) subscribed.delete(user)
    }
    if (!('id' in step)) return
    const { id, comment } = step
    const thread = this.threads.get(id)
    if (step.kind === 'start' && !thread) {
      const comments = new Map([[comment, { from: user, text: textOf(step) }]])
      this.threads.set(id, { author: user, comments, subscribed: new Set() })
      this.changed(step, 'comment_annotation.add', mentionedIn(textOf(step)))
    }
    if (!thread) return
    const old = thread.comments.get(comment)
    if (step.kind === 'reply' && !old) {
      thread.comments.set(comment, { from: user, text: textOf(step) })
      this.changed(step, 'comment.add', mentionedIn(textOf(step)))
    }
    if (step.kind === 'edit' && old && old.text !== textOf(step)) {
      const known = mentionedIn(old.text)
      old.text = textOf(step)
      this.changed(
        step,
        'comment.update',
        mentionedIn(old.text).filter((each) => !known.includes(each)),
      )
    }
    if (kind === 'react' && old) this.tell('comment.reaction_add', step)
    if (kind === 'delete' && old) this.delete(thread, step)
  }

  private changed(step: Mentioning, type: string, mentioned: string[]): void {
    const thread = this.threads.get(step.id)
    if (thread) this.subscribe(thread)
    this.tell(type, step, mentioned)
  }

  /** Notifications go with the comment or thread that they are about, except that of its deletion. */
  private delete(thread: Thread, step: { id: string; comment: number; user: string }): void {
    const { id, comment, user } = step
    if (thread.comments.size === 1) {
      this.tell('comment.delete', { id, user })
      this.threads.delete(id)
      this.told = this.told.filter((each) => each.id !== id || each.comment === undefined)
    } else {
      thread.comments.delete(comment)
      this.subscribe(thread)
      this.told = this.told.filter(
        (each) => each.id !== id || each.comment !== comment || each.type === 'comment.delete',
      )
      this.tell('comment.delete', step)
    }
  }

  inboxOf = (user: string): string[] =>
    this.removed.has(user)
      ? []
      : this.told
          .filter(({ to }) => to.has(user))
          .map(({ type, id, comment = null, actor }) => JSON.stringify([type, id, comment, actor]))
}

/** The call of a step. */
function callOf(step: Step): [path: string, data: object] {
  const { kind } = step
  const user = { userId: step.user }
  if (kind === 'join') return ['/v2/users/add', { users: [user] }]
  if (kind === 'leave') return ['/v2/users/delete', { userIds: [step.user] }]
  const { id: annotationId, comment: commentId } = step
  const of = { documentId: 'd', annotationId }
  if (kind === 'react') return ['/v2/reactions/add', { ...of, commentId, reactions: [{ icon: 'A', from: user }] }]
  const threads = '/v2/commentannotations'
  const chosen = { ...of, commentIds: [commentId], actionUser: user }
  if (kind === 'delete') return [`${threads}/comments/delete`, chosen]
  if (kind === 'edit') return [`${threads}/comments/update`, { ...chosen, updatedData: { commentText: textOf(step) } }]
  const commentData = [{ commentId, commentText: textOf(step), from: user }]
  if (kind === 'reply') return [`${threads}/comments/add`, { ...of, commentData }]
  return [`${threads}/add`, { documentId: 'd', commentAnnotations: [{ annotationId, commentData }] }]
}

const TYPES: Record<string, string> = {
  newlyAdded: 'comment_annotation.add',
  added: 'comment.add',
  updated: 'comment.update',
  deleted: 'comment.delete',
  reactionAdded: 'comment.reaction_add',
}

test('each change is announced once and in order, and told to those whom it concerns, as the contract says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const ws = await newWorkspace(service)
      const organizationId = 'o'
      await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
      await ws.ok('/v2/users/add', { organizationId, users: USERS.map((userId) => ({ userId })) })
      await ws.ok('/v2/organizations/documents/add', { organizationId, documents: [{ documentId: 'd' }] })
      const model = new Model()
      for (const step of steps) {
        const [path, data] = callOf(step)
        const { status } = await ws.call(path, { organizationId, ...data })
        expect([200, 404]).toContain(status)
        model.apply(step)
      }
      const events = await service.database.query<{ type: string; data: Payload }>(sql`
        select type, advanced -> 'data' as data from event where api_key = ${ws.apiKey} order by id`)
      expect(
        events.map(({ type, data: { commentAnnotation, targetComment, actionUser } }) =>
          JSON.stringify([type, commentAnnotation.annotationId, targetComment?.commentId ?? null, actionUser.userId]),
        ),
      ).toEqual(model.events)
      for (const userId of USERS) {
        const { data } = await ws.ok('/v2/notifications/get', { organizationId, userId, order: 'asc' })
        const inbox = data.map(({ actionType = '', actionUser, notificationSourceData: about = {} }) =>
          JSON.stringify([TYPES[actionType], about.annotationId, about.commentId ?? null, actionUser?.userId]),
        )
        expect([userId, inbox]).toEqual([userId, model.inboxOf(userId)])
      }
      const { data } = await ws.ok('/v2/commentannotations/get', { organizationId })
      const threads = ungrouped(data).flatMap((thread) => (thread ? [thread] : []))
      expect(
        new Map(
          threads.map(({ annotationId, comments, subscribedUsers }) => [
            annotationId,
            {
              comments: comments.map(({ commentId }) => commentId),
              subscribed: new Set(Object.values(subscribedUsers).map((each) => each.user.userId)),
            },
          ]),
        ),
      ).toEqual(
        new Map(
          [...model.threads].map(([id, { comments, subscribed }]) => [
            id,
            { comments: [...comments.keys()], subscribed },
          ]),
        ),
      )
    }),
    { numRuns: 8 },
  )
}, 60_000)

interface Payload {
  commentAnnotation: { annotationId: string }
  targetComment?: { commentId: number }
  actionUser: { userId: string }
}
