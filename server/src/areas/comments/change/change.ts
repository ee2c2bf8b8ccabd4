import { memoize } from '../../../platform/bulk.ts'
import type { User } from '../../users/user.ts'
import type { Comment } from '../comment/comment.ts'
import type { CommentAnnotation } from '../thread/annotation.ts'
import type { Place } from '../thread/place.ts'
import type { Priority, Status } from '../thread/status.ts'
import { type Thread, toAnnotation } from '../thread/thread.ts'
import type { Visibility } from '../thread/visibility.ts'

/** The action, named as in activities (`actionType`). */
export type CommentAction = keyof typeof EVENT_TYPE_OF

/** The public event type of each action, in the order in which the steps of one change of a thread are announced. */
export const EVENT_TYPE_OF = {
  'comment_annotation.add': 'comment_annotation.add',
  'comment_annotation.delete': 'comment.delete',
  'comment_annotation.status_change': 'comment_annotation.status_change',
  'comment_annotation.assign': 'comment_annotation.assign',
  'comment_annotation.priority_change': 'comment_annotation.priority_change',
  'comment_annotation.custom_list_change': 'comment_annotation.custom_list_change',
  'comment_annotation.access_mode_change': 'comment_annotation.access_mode_change',
  'comment_annotation.suggestion_accept': 'comment_annotation.suggestion_accept',
  'comment_annotation.suggestion_reject': 'comment_annotation.suggestion_reject',
  'comment_annotation.subscribe': 'comment_annotation.subscribe',
  'comment_annotation.unsubscribe': 'comment_annotation.unsubscribe',
  'comment.add': 'comment.add',
  'comment.update': 'comment.update',
  'comment.delete': 'comment.delete',
  'comment.reaction_add': 'comment.reaction_add',
  'comment.reaction_delete': 'comment.reaction_delete',
} as const

/** One change to a thread, with all that subscribers need. */
export interface CommentChange {
  action: CommentAction
  place: Place
  /** The key of the thread, as in `comment_annotation.key`. */
  annotationKey: string
  /** The thread after the change; for a deletion, before it. */
  annotation: CommentAnnotation
  /**
   * The comment that was added, changed, deleted or reacted to. For `comment_annotation.add` it is the first comment.
   */
  comment: Comment | null
  /** The user who did it, if the caller said so. */
  actor: User | null
  people: InvolvedPeople
  /** Who may see the thread; every channel obeys it. */
  visibility: Visibility
  /** The changed fields, by name. */
  changes: Record<string, { from: unknown; to: unknown }>
  oldStatus: Status | null
  newStatus: Status | null
  newPriority: Priority | null
  /** The reaction that was added or deleted. */
  reaction: { id: string; icon: string; from: User } | null
  /** False: no webhook, notification or email. Judgments are recorded all the same. */
  triggerNotification: boolean
  /** True: to the activity log, whatever its switches say; false: not; undefined: as its switches say. */
  triggerActivities: boolean | undefined
  /**
   * The place that is deleted with the thread; null: it stays. Notifications go with the location or document, and all
   * else of this service with the organization, so such a change makes none. Customers are told all the same.
   */
  goesWith: 'location' | 'document' | 'organization' | null
  /** How many changes the call makes, where these are one batch of them. */
  ofTotal?: number
}

/** The people whom a change concerns. A user who unsubscribed is in `unsubscribed`, whatever else the user is. */
export interface InvolvedPeople {
  /** The user who started the thread. */
  author: User
  /** The users who wrote in it, including the author. */
  participants: User[]
  /** The users mentioned in `comment`; for an update, only those newly mentioned. */
  mentioned: User[]
  /** The assigned user; for `comment_annotation.assign` the new one. */
  assigned: User | null
  subscribers: User[]
  unsubscribed: User[]
}

/** The details of a change, besides its thread. */
export interface ChangeDetails {
  actor: User | null
  comment?: Comment
  /** Default: the users mentioned in `comment`. */
  mentioned?: User[]
  changes?: CommentChange['changes']
  oldStatus?: CommentChange['oldStatus']
  newStatus?: CommentChange['newStatus']
  newPriority?: CommentChange['newPriority']
  reaction?: CommentChange['reaction']
  goesWith?: CommentChange['goesWith']
}

/** One kind of change among those that an update makes to a thread. */
export interface Step extends ChangeDetails {
  action: CommentAction
}

/** The switches of `triggerInput` as sent. */
export interface Triggers {
  triggerNotification?: boolean
  triggerActivities?: boolean
}

/**
 * Returns a function that makes the changes of one operation on one document. The triggers of an item override those of
 * the request.
 */
export function changeBuilder(place: Place, apiKey: string, triggers: Triggers) {
  // A thread can have as many changes as a call has comments, so it is described once.
  const describe = memoize((thread: Thread) => sharedFields(thread, place, apiKey))
  return (thread: Thread, action: CommentAction, details: ChangeDetails, own: Triggers = {}): CommentChange => {
    const { annotation, people } = describe(thread)
    return {
      action,
      place,
      annotationKey: thread.key,
      annotation,
      comment: details.comment ?? null,
      actor: details.actor,
      people: { ...people, mentioned: details.mentioned ?? details.comment?.to ?? [] },
      visibility: thread.record.visibilityConfig,
      changes: details.changes ?? {},
      oldStatus: details.oldStatus ?? null,
      newStatus: details.newStatus ?? null,
      newPriority: details.newPriority ?? null,
      reaction: details.reaction ?? null,
      triggerNotification: own.triggerNotification ?? triggers.triggerNotification ?? true,
      triggerActivities: own.triggerActivities ?? triggers.triggerActivities,
      goesWith: details.goesWith ?? null,
    }
  }
}

/** The fields that all changes to a thread share. */
const sharedFields = (thread: Thread, place: Place, apiKey: string) => ({
  annotation: toAnnotation(thread, { apiKey, ...place }),
  people: {
    author: thread.record.from,
    participants: peopleIn(thread, ({ isAuthor }) => isAuthor),
    assigned: thread.record.assignedTo ?? null,
    subscribers: peopleIn(thread, ({ subscription }) => subscription === 'auto' || subscription === 'manual'),
    unsubscribed: peopleIn(thread, ({ subscription }) => subscription === 'off'),
  },
})

const peopleIn = ({ participants }: Thread, isMeant: (participant: Thread['participants'][number]) => boolean) =>
  participants.filter(isMeant).map(({ person }) => person)
