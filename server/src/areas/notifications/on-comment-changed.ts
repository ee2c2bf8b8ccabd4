import { memoize } from '../../platform/bulk.ts'
import { together } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { type ChangeContext, onFinding } from '../../platform/event.ts'
import { keyOf, randomId } from '../../platform/id.ts'
import { bytesOf, CHANGE_BYTES, CHANGE_BYTES_TEXT } from '../../platform/record-size.ts'
import { restAfter } from '../../platform/turns/yield.ts'
import { byteBudget } from '../comments/change/abridge.ts'
import { type CommentChange, EVENT_TYPE_OF } from '../comments/change/change.ts'
import { commentChanged } from '../comments/change/comment-event.ts'
import type { CommentAnnotation } from '../comments/thread/annotation.ts'
import { emailService } from '../workspaces/setting/email-service.ts'
import { notificationService } from '../workspaces/setting/notification-service.ts'
import { serviceForChange } from '../workspaces/setting/service-config.ts'
import { isTriggered } from '../workspaces/setting/trigger.ts'
import { batchingOf } from './batching.ts'
import { commentNotification, repeatedOf } from './comment-notification.ts'
import { deliver } from './deliver.ts'
import { type NotificationsCreated, notificationsCreated } from './notification-event.ts'
import { recipientsOf } from './recipients/recipients.ts'

/**
 * Notifies the people involved in changes to comments, except the actor, if they may see the thread and want to know.
 * Notifications go to the inbox if the notification service is on, after its delay and batches. Other channels
 * subscribe to `notificationsCreated`.
 */
export const notifyOfCommentChanges = onFinding(commentChanged, findNotifications, async (context, found) => {
  for (const created of found) {
    const since = performance.now()
    await deliverAndEmit(context, created)
    if (found.length > 1) await restAfter(since)
  }
})

/** What is to be told of changes, and to whom: in portions, and only those that reach somebody. */
async function findNotifications(context: ChangeContext, changes: CommentChange[]): Promise<NotificationsCreated[][]> {
  const notifiable = changes.filter(
    ({ action, triggerNotification, goesWith }) => triggerNotification && goesWith === null && !isQuiet(action),
  )
  if (notifiable.length === 0) return []
  const inbox = await serviceForChange(context, notificationService)
  const email = await serviceForChange(context, emailService)
  if (!inbox.isOn && !email.isOn) return []
  const isInInbox = (type: string) => inbox.isOn && isTriggered(inbox.config.triggers, type)
  // Organizations are locked in key order, so that two changes of several cannot deadlock.
  const organizationKeys = [...new Set(notifiable.map(({ place }) => place.organizationKey))].sort()
  const newIds = idsInOrder(notifiable.length)
  const ids = new Map(
    notifiable.map((change, i) => [change, isInInbox(EVENT_TYPE_OF[change.action]) ? newIds[i] : undefined]),
  )
  const told = await together(
    organizationKeys.map((organizationKey) => {
      const own = notifiable.filter(({ place }) => place.organizationKey === organizationKey)
      return recipientsOf(context, organizationKey, own)
    }),
  )
  return told.flat().map((portion) =>
    portion.flatMap(({ change, recipients }) => {
      if (recipients.length === 0) return []
      return [{ notificationId: ids.get(change) ?? null, eventType: EVENT_TYPE_OF[change.action], change, recipients }]
    }),
  )
}

/** Ids whose keys ascend. The notifications of one call have one time, and an inbox lists those of one time by key. */
const idsInOrder = (count: number): string[] =>
  Array.from({ length: count }, () => randomId('nt_'))
    .map((id) => ({ id, key: keyOf(id) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ id }) => id)

/** Whom a thread is shown to from then on is told to no inbox. */
const isQuiet = (action: CommentChange['action']) => action === 'comment_annotation.access_mode_change'

async function deliverAndEmit(context: ChangeContext, created: NotificationsCreated[]): Promise<void> {
  const { db, tenant, emit, clock } = context
  const { config } = await serviceForChange(context, notificationService)
  assertAccessFits(created)
  const maxBytes = byteBudget(created.length)
  const repeated = memoize((annotation: CommentAnnotation) => repeatedOf(annotation, maxBytes))
  const deliveries = created.flatMap(({ notificationId, eventType, change, recipients }) => {
    const wanting = recipients.filter(({ wantsInbox }) => wantsInbox)
    if (notificationId === null || wanting.length === 0) return []
    const { place, annotationKey } = change
    return [
      {
        ...place,
        ...targetOf(change, annotationKey),
        id: notificationId,
        record: commentNotification(eventType, change, repeated(change.annotation)),
        recipients: wanting.map(({ user, isAddressed }) => ({ user, forYou: isAddressed })),
      },
    ]
  })
  // Other channels read while the inbox is written.
  await together([
    deliver(db, tenant, deliveries, batchingOf(config, clock.now())),
    emit(notificationsCreated, created),
  ])
}

/** Each notification holds who may see its thread, whole. */
function assertAccessFits(created: NotificationsCreated[]): void {
  const annotations = created.map(({ change }) => change.annotation)
  const sizes = new Map([...new Set(annotations)].map((each) => [each, bytesOf(each.context?.access ?? {})]))
  const bytes = annotations.reduce((sum, each) => sum + (sizes.get(each) ?? 0), 0)
  if (bytes <= CHANGE_BYTES) return
  throw new ApiError(
    'FAILED_PRECONDITION',
    `The notifications would repeat context.access in more than ${CHANGE_BYTES_TEXT}. Change fewer comments at a time, or send triggerNotification: false. Nothing was changed.`,
  )
}

/** The thread and comment whose deletion deletes the notification. A notification of a deletion outlives it. */
function targetOf({ action, comment }: CommentChange, annotationKey: string) {
  if (action === 'comment_annotation.delete') return { annotationKey: null, commentId: null }
  return { annotationKey, commentId: action === 'comment.delete' ? null : (comment?.commentId ?? null) }
}
