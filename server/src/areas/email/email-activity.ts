import type { CommentChange } from '../comments/change/change.ts'
import type { NotificationsCreated, Recipient } from '../notifications/notification-event.ts'
import type { User } from '../users/user.ts'

/** What an activity is to the one who is told of it. */
export type EmailKind = 'mention' | 'thread' | 'reply' | 'assignment' | 'status' | 'priority'

/** What was done, beside what the thread itself says when the email is sent. */
export interface ActivityDetails {
  actor: User | null
  assignee: User | null
  status: string | null
  priority: string | null
}

/** Something of which one user is told by email. */
export interface EmailActivity {
  user: User
  organizationKey: string
  documentKey: string
  annotationKey: string
  commentId: number | null
  /** The id of the notification in the inbox that tells of the same. */
  notificationId: string | null
  eventType: string
  kind: EmailKind
  /** Whether it is addressed to the user, who then is told of it at the preference MINE. */
  isAddressed: boolean
  details: ActivityDetails
}

/** What users are told by email of a change: those of its recipients who want emails, if emails tell of such changes. */
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

/** Null: no email tells of it. */
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
