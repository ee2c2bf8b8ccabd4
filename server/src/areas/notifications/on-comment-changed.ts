import { together } from '../../platform/db/db.ts'
import { type ChangeContext, on } from '../../platform/event.ts'
import { randomId } from '../../platform/id.ts'
import { type CommentChange, EVENT_TYPES } from '../comments/change/change.ts'
import { commentChanged } from '../comments/change/comment-event.ts'
import { emailService } from '../workspaces/email-service.ts'
import { notificationService } from '../workspaces/notification-service.ts'
import { serviceForChange } from '../workspaces/service-config.ts'
import { isTriggered } from '../workspaces/trigger.ts'
import { type Batching, batchingOf } from './batching.ts'
import { commentNotification } from './comment-notification.ts'
import { deliver } from './deliver.ts'
import { type NotificationsCreated, notificationsCreated } from './notification-event.ts'
import { recipientsOf } from './recipients.ts'

/**
 * Notifies the people involved in changes to comments, except the actor, if they may see the thread and want to know.
 * Notifications go to the inbox if the notification service is on, after its delay and batches. Other channels
 * subscribe to `notificationsCreated`.
 */
export const notifyOfCommentChanges = on(commentChanged, async (context, changes) => {
  const notifiable = changes
    .filter(({ action, triggerNotification, goesWith }) => triggerNotification && goesWith === null && !isQuiet(action))
    .map((change) => ({ change, eventType: EVENT_TYPES[change.action] }))
  if (notifiable.length === 0) return
  const { db, tenant, clock } = context
  const inbox = await serviceForChange(context, notificationService)
  const email = await serviceForChange(context, emailService)
  if (!inbox.isOn && !email.isOn) return
  const batching = batchingOf(inbox.config, clock.now())
  const isInInbox = (type: string) => inbox.isOn && isTriggered(inbox.config.triggers, type)
  // Organizations are locked in key order, so that two changes of several cannot deadlock.
  for (const organizationKey of [...new Set(notifiable.map(({ change }) => change.place.organizationKey))].sort()) {
    const own = notifiable.filter(({ change }) => change.place.organizationKey === organizationKey)
    const recipients = await recipientsOf(
      db,
      tenant,
      organizationKey,
      own.map(({ change }) => change),
    )
    const created = own.map(({ change, eventType }, index) => ({
      notificationId: isInInbox(eventType) ? randomId('nt_') : null,
      eventType,
      change,
      recipients: recipients[index] ?? [],
    }))
    await deliverAndEmit(
      context,
      created.filter((each) => each.recipients.length > 0),
      batching,
    )
  }
})

/** Whom a thread is shown to from then on is told to no inbox. */
const isQuiet = (action: CommentChange['action']) => action === 'comment_annotation.access_mode_change'

async function deliverAndEmit(
  { db, tenant, emit }: ChangeContext,
  created: NotificationsCreated[],
  batching: Batching,
): Promise<void> {
  const deliveries = created.flatMap(({ notificationId, eventType, change, recipients }) => {
    const wanting = recipients.filter(({ wantsInbox }) => wantsInbox)
    if (notificationId === null || wanting.length === 0) return []
    const { place, annotationKey } = change
    return [
      {
        ...place,
        ...targetOf(change, annotationKey),
        id: notificationId,
        record: commentNotification(eventType, change),
        recipients: wanting.map(({ user, isAddressed }) => ({ user, forYou: isAddressed })),
      },
    ]
  })
  // Other channels read while the inbox is written.
  await together([deliver(db, tenant, deliveries, batching), emit(notificationsCreated, created)])
}

/** The thread and comment whose deletion deletes the notification. A notification of a deletion outlives it. */
function targetOf({ action, comment }: CommentChange, annotationKey: string) {
  if (action === 'comment_annotation.delete') return { annotationKey: null, commentId: null }
  return { annotationKey, commentId: action === 'comment.delete' ? null : (comment?.commentId ?? null) }
}
