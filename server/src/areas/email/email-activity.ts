import type { CommentChange } from '../comments/change/change.ts'
import type { NotificationsCreated } from '../notifications/notification-event.ts'
import type { Recipient } from '../notifications/recipients/recipients.ts'
import type { User } from '../users/user.ts'

/** What an activity is to its recipient. */
export type EmailKind = 'mention' | 'thread' | 'reply' | 'assignment' | 'status' | 'priority'

/** The details of an activity that the thread does not say when the email is sent. */
export interface ActivityDetails {
  actor: User | null
  assignee: User | null
  status: string | null
  priority: string | null
}

/** An activity that one user is notified of by email. */
export interface EmailActivity {
  user: User
  organizationKey: string
  documentKey: string
  annotationKey: string
  commentId: number | null
  /** The id of the notification of the same activity in the inbox. */
  notificationId: string | null
  eventType: string
  kind: EmailKind
  /** Whether it is addressed to the user, as the preference MINE requires. */
  isAddressed: boolean
  details: ActivityDetails
}

/**
 * The activities to email to recipients of a change who want emails; none for kinds of changes that are not emailed.
 */
export function activitiesOf({ notificationId, eventType, change, recipients }: NotificationsCreated): EmailActivity[] {
  const { place, annotationKey, comment, actor, people, newStatus, newPriority } = change
  const details = {
    actor,
    assignee: people.assigned,
    status: newStatus?.name ?? null,
    priority: newPriority?.name ?? null,
  }
  return recipients.flatMap((recipient) => {
    const kind = recipient.wantsEmail ? kindOf(change, recipient) : null
    if (kind === null) return []
    const { user, isAddressed } = recipient
    const { organizationKey, documentKey } = place
    const commentId = comment?.commentId ?? null
    const where = { organizationKey, documentKey, annotationKey, commentId }
    return [
      {
        user,
        ...where,
        notificationId: recipient.wantsInbox ? notificationId : null,
        eventType,
        kind,
        isAddressed,
        details,
      },
    ]
  })
}

/** Null: such a change is not emailed. */
function kindOf({ action, people }: CommentChange, { user, isMentioned }: Recipient): EmailKind | null {
  if (isMentioned) return 'mention'
  switch (action) {
    case 'comment_annotation.add':
      return people.assigned?.userId === user.userId ? 'assignment' : 'thread'
    case 'comment.add':
      return 'reply'
    case 'comment_annotation.assign':
      return people.assigned ? 'assignment' : null
    case 'comment_annotation.status_change':
      return 'status'
    case 'comment_annotation.priority_change':
      return 'priority'
    default:
      return null
  }
}
