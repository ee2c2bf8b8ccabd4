import { memoize, withFields } from '../../../platform/bulk.ts'
import type { PublicPayload } from '../../../platform/event.ts'
import { hexId } from '../../../platform/id.ts'
import { mapWithRests } from '../../../platform/turns/yield.ts'
import { shortNameOf } from '../../workspaces/setting/trigger.ts'
import type { Comment } from '../comment/comment.ts'
import type { Place } from '../thread/place.ts'
import { type Abridged, abridge, abridgePart } from './abridge.ts'
import { abridgeThread, MAX_PEOPLE } from './abridged-thread.ts'
import { ANYBODY } from './audience.ts'
import type { CommentChange } from './change.ts'
import { abridgePlace, advancedMetadata, basicMetadata } from './place-metadata.ts'

/**
 * Returns a function that makes the payloads of one call's changes in every webhook format: advanced, basic raw and
 * basic processed. Each record is abridged to `maxBytes`. A thread, comment or place that several changes share is
 * abridged once; `prepare` abridges the threads of many changes ahead, with rests. `audience` is needed for threads
 * that are private to an organization, and where users were removed from one.
 */
export function payloadBuilder(apiKey: string, maxBytes: number) {
  const threadOf = memoize((annotation: CommentChange['annotation']) => abridgeThread(annotation, maxBytes))
  const commentOf = memoize((comment: Comment) => abridge(comment, maxBytes))
  const placeOf = memoize((place: Place) => abridgePlace(place, maxBytes))
  function prepare(changes: CommentChange[]): Promise<unknown> | undefined {
    const threads = new Set(changes.map(({ annotation }) => annotation))
    return threads.size > 1 ? mapWithRests([...threads], threadOf) : undefined
  }
  function payload(type: string, whole: CommentChange, audience = ANYBODY): PublicPayload {
    const { annotation, place, comment } = whole
    const { oldStatus, newStatus, newPriority, visibility } = whole
    const abridged = {
      ...whole,
      whole,
      oldStatus: oldStatus && abridgePart(oldStatus, maxBytes),
      newStatus: newStatus && abridgePart(newStatus, maxBytes),
      newPriority: newPriority && abridgePart(newPriority, maxBytes),
      visibility: abridgePart(visibility, maxBytes),
      annotation: withoutRemoved(threadOf(annotation), (userId) => audience.isRemoved(whole, userId)),
      place: placeOf(place),
      comment: comment && commentOf(comment),
      isShownTo: (userId: string) => audience.isShown(whole, userId),
    }
    return payloadOf(type, abridged, apiKey)
  }
  return { prepare, payload }
}

type AbridgedThread = ReturnType<typeof abridgeThread>

interface AbridgedChange extends Omit<CommentChange, 'annotation' | 'comment'> {
  /** The change as it is. */
  whole: CommentChange
  annotation: AbridgedThread
  comment: Abridged<Comment> | null
  isShownTo: (userId: string) => boolean
}

function payloadOf(type: string, change: AbridgedChange, apiKey: string): PublicPayload {
  const { annotation, place, comment, actor, visibility, action } = change
  const isOfComment = comment !== null && (action.startsWith('comment.') || action === 'comment_annotation.add')
  const what = {
    commentAnnotation: annotation,
    ...(actor && { actionUser: actor }),
    ...(isOfComment && { targetComment: comment }),
    ...(change.oldStatus && { oldStatus: change.oldStatus }),
    ...(change.newStatus && { newStatus: change.newStatus }),
    ...(change.newPriority && { newPriority: change.newPriority }),
    ...(change.reaction && { reaction: change.reaction }),
    ...(visibility.type !== 'public' && { visibility }),
  }
  return {
    organizationId: place.organizationId,
    documentId: place.documentId,
    advanced: {
      actionType: type.slice(type.indexOf('.') + 1),
      source: 'comment',
      platform: 'sdk',
      data: withFields(what, { metadata: advancedMetadata(place, annotation, apiKey) }),
    },
    basic: {
      actionType: shortNameOf(type),
      notificationSource: 'comment',
      platform: 'sdk',
      ...what,
      metadata: basicMetadata(place, annotation, apiKey),
      ...(isAssignment(change) && { assigned: true }),
      ...deniedUsers(change),
    },
    processed: processedPayload(type, change, apiKey),
  }
}

const isAssignment = ({ action, people }: Pick<CommentChange, 'action' | 'people'>) =>
  people.assigned !== null && (action === 'comment_annotation.assign' || action === 'comment_annotation.add')

/** A thread as its subscriptions will be stored: users who were removed from the organization have none. */
function withoutRemoved(thread: AbridgedThread, isRemoved: (userId: string) => boolean): AbridgedThread {
  const subscribed = Object.entries(thread.subscribedUsers ?? {})
  const left = subscribed.filter(([, { user }]) => !isRemoved(user.userId))
  return left.length === subscribed.length ? thread : { ...thread, subscribedUsers: Object.fromEntries(left) }
}

/** The involved or subscribed people whom the thread's visibility or their removal excludes. */
function deniedUsers({ whole, people, isShownTo }: AbridgedChange) {
  const concerned = new Set([...whole.annotation.involvedUserIds, ...people.subscribers.map(({ userId }) => userId)])
  const denied = [...concerned].filter((userId) => !isShownTo(userId))
  return denied.length > 0 && { accessDeniedUsers: denied }
}

/** The processed format: whom a receiver should notify, and of what. Users tagged in the comment come first. */
function processedPayload(type: string, change: AbridgedChange, apiKey: string) {
  const { whole, annotation, comment, actor, people, place, visibility, isShownTo } = change
  const author = whole.comment?.from ?? people.author
  const tagged = (whole.comment?.to ?? []).filter(({ userId }) => isShownTo(userId))
  const isTagged = new Set(tagged.map(({ userId }) => userId))
  const updated = people.participants.filter(
    ({ userId }) => !isTagged.has(userId) && userId !== actor?.userId && isShownTo(userId),
  )
  const page = (annotation.pageInfo ?? {}) as { title?: unknown; url?: unknown; deviceInfo?: unknown }
  return {
    from: actor ?? author,
    commentText: comment?.commentText ?? '',
    commentTextFrom: author,
    toContactsTagged: tagged.slice(0, MAX_PEOPLE),
    toContactsUpdated: updated.slice(0, MAX_PEOPLE),
    pageTitle: page.title ?? place.documentName ?? '',
    pageUrl: pageUrl(page.url, annotation.annotationId),
    deviceInfo: page.deviceInfo ?? {},
    actionType: shortNameOf(type),
    status: whole.annotation.status.id,
    notificationSource: 'comment',
    documentId: hexId('document', apiKey, place.documentId),
    clientDocumentId: place.documentId,
    targetAnnotationId: annotation.annotationId,
    metadata: { organizationId: place.organizationId, documentId: place.documentId },
    commentAnnotation: { annotationId: annotation.annotationId },
    ...(comment && { targetComment: comment, targetCommentId: comment.commentId }),
    ...(visibility.type !== 'public' && { visibility }),
  }
}

function pageUrl(url: unknown, annotationId: string): string {
  if (typeof url !== 'string' || !URL.canParse(url)) return ''
  const address = new URL(url)
  address.searchParams.set('scommentId', annotationId)
  return address.href
}
