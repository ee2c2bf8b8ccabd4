import { internalEvent } from '../../platform/event.ts'
import type { CommentChange } from '../comments/change/change.ts'
import type { Recipient } from './recipients/recipients.ts'

/**
 * Users are notified of a change to comments. Neither the actor nor anyone who may not see the thread is among them.
 */
export interface NotificationsCreated {
  /** Null: no inbox has it, because the notification service or the trigger of this event is off. */
  notificationId: string | null
  /** The event type, as triggers name it. */
  eventType: string
  change: CommentChange
  recipients: Recipient[]
}

/** Emitted when users are notified of changes to comments, for channels besides the inbox. */
export const notificationsCreated = internalEvent<NotificationsCreated>('notificationsCreated')
