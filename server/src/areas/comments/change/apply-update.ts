import { isDeepStrictEqual } from 'node:util'
import { outgrows } from '../../../platform/record-size.ts'
import type { User } from '../../users/user.ts'
import { isPerson, type People, type Person } from '../comment/person.ts'
import type { WantedComments } from '../comment/read-comments.ts'
import type { AnnotationRecord } from '../thread/annotation.ts'
import { participantsOf, participantsOfAll } from '../thread/participant.ts'
import {
  isDecision,
  limitedFieldsOfThread,
  patchRecord,
  type UpdateContext,
  type UpdatedData,
} from '../thread/patch-record.ts'
import { replacementsOf, replaceUsers, type UserUpdate } from '../thread/replace-users.ts'
import type { Thread } from '../thread/thread.ts'
import { applySubscriptions, namesOnly, type SubscriptionRequest } from './apply-subscriptions.ts'
import type { ChangeDetails, CommentAction, Step } from './change.ts'

interface Update extends SubscriptionRequest {
  updatedData?: UpdatedData
  updateUsers?: UserUpdate[]
  actionUser?: Person
}

interface Updated {
  thread: Thread
  /** One for each kind of change. */
  steps: Step[]
}

/** Returns a function that applies an update to a thread. */
export function updater(update: Update, context: UpdateContext): (before: Thread) => Updated {
  // An update may replace a thousand users in each of thousands of threads.
  const replacements = replacementsOf(update.updateUsers ?? [], context.people)
  return (before) => applyUpdate(before, replaceUsers(before, replacements), update, context)
}

function applyUpdate(before: Thread, replaced: Thread, update: Update, context: UpdateContext): Updated {
  const { updatedData } = update
  const { people, now, actor } = context
  const record = updatedData ? patchRecord(replaced.record, updatedData, context) : replaced.record
  const isChanged = !isDeepStrictEqual({ ...replaced, record }, before)
  const thread = { ...replaced, record, updatedAt: isChanged ? Math.max(now, before.updatedAt) : before.updatedAt }
  const participants = takesRoles(update) ? participantsOfAll(thread) : participantsOf(thread)
  const subscribed = applySubscriptions({ ...thread, participants }, update, people, now)
  const decider = actor ?? deciderOf(record, people)
  // Users in place of others are no change of their own, but who sees the thread is.
  const was = { ...replaced.record, visibilityConfig: before.record.visibilityConfig }
  const steps = [...stepsBetween(was, record, actor), ...decisionsBetween(was, record, decider)]
  return { thread: subscribed.thread, steps: [...steps, ...subscribed.steps] }
}

/** Which comments an update of threads reads. */
export function commentsFor({ updateUsers, updatedData, actionUser }: Update): WantedComments {
  if (updateUsers) return 'all'
  const latestBy = updatedData?.status || updatedData?.suggestion ? decidersIn(updatedData, actionUser) : []
  return { latestBy, outlines: updatedData?.from !== undefined }
}

/** Whether the update takes others a role that comments may still give them. Then all comments are read. */
const takesRoles = ({ updateUsers, updatedData }: Update) =>
  updateUsers !== undefined || updatedData?.from !== undefined

/** Who may have decided by an update: the latest comment of that user is the reason. */
const decidersIn = (data: UpdatedData, actionUser: Person | undefined): string[] =>
  [
    actionUser?.userId,
    data.statusUpdatedByUserId,
    data.resolvedByUserId,
    data.from?.userId,
    isPerson(data.suggestion?.resolvedBy) ? data.suggestion.resolvedBy.userId : undefined,
  ].filter((userId) => typeof userId === 'string')

/** Whether an update makes a thread, or a comment whose mentions it renames, larger than a record may be. */
export function isOutgrown(before: Thread, after: Thread): boolean {
  if (after.record !== before.record && outgrows(limitedFieldsOfThread(before), limitedFieldsOfThread(after)))
    return true
  return after.comments.some((comment, i) => comment !== before.comments[i] && outgrows(before.comments[i], comment))
}

function stepsBetween(before: AnnotationRecord, after: AnnotationRecord, actor: User | null): Step[] {
  const was = before.status
  const step = (action: CommentAction, field: keyof AnnotationRecord, more: Partial<ChangeDetails> = {}): Step[] => {
    const [from = null, to = null] = [before[field], after[field]]
    return isDeepStrictEqual(from, to) ? [] : [{ action, actor, changes: { [field]: { from, to } }, ...more }]
  }
  return [
    ...(was.id === after.status.id && was.type === after.status.type
      ? []
      : step('comment_annotation.status_change', 'status', { oldStatus: was, newStatus: after.status })),
    ...(before.assignedTo?.userId === after.assignedTo?.userId ? [] : step('comment_annotation.assign', 'assignedTo')),
    ...(before.priority?.id === after.priority?.id
      ? []
      : step('comment_annotation.priority_change', 'priority', { newPriority: after.priority ?? null })),
    ...step('comment_annotation.custom_list_change', 'customList'),
    ...step('comment_annotation.access_mode_change', 'visibilityConfig'),
  ]
}

function decisionsBetween(before: AnnotationRecord, after: AnnotationRecord, actor: User | null): Step[] {
  const [from = null, to = null] = [before.suggestion, after.suggestion]
  if (from?.status === to?.status || !isDecision(to?.status)) return []
  const action = `comment_annotation.suggestion_${to?.status === 'accepted' ? 'accept' : 'reject'}` as const
  return [{ action, actor, changes: { suggestion: { from, to } } }]
}

/** The user who decided a suggestion, if it says so. */
const deciderOf = ({ suggestion }: AnnotationRecord, people: People): User | null =>
  isPerson(suggestion?.resolvedBy) ? people.complete(suggestion.resolvedBy) : null

/** The user who made the update, if the request says so. */
export function actorOf({ actionUser, updatedData: data = {} }: Update, people: People): User | null {
  const id = data.statusUpdatedByUserId ?? data.resolvedByUserId
  const person = actionUser ?? (id ? { userId: id } : data.from)
  return person ? people.complete(person) : null
}

/**
 * Whose an update of a thread is to be permitted: the acting user's own where it only changes that user's subscription
 * and view, else that of the thread's author.
 */
export function ownerOf({ from }: AnnotationRecord, { updatedData, updateUsers, actionUser, ...marks }: Update) {
  const isOfThread = updatedData !== undefined || updateUsers !== undefined
  return actionUser && !isOfThread && namesOnly(actionUser.userId, marks) ? actionUser.userId : from?.userId
}

/** The ids of all users that an update names, to be looked up together. */
export const userIdsIn = ({ updatedData: data = {}, ...update }: Update): string[] => [
  ...[data.from, data.assignedTo, data.suggestion?.resolvedBy, update.actionUser].filter(isPerson).map(userIdOf),
  ...[data.statusUpdatedByUserId, data.resolvedByUserId, ...(update.viewedByUserIds ?? [])].flatMap((id) => id ?? []),
  ...(update.updateUsers ?? []).map(({ newUser }) => newUser.userId),
  ...[...(update.subscribeUsers ?? []), ...(update.unsubscribeUsers ?? [])].map(userIdOf),
]

const userIdOf = ({ userId }: Person) => userId
