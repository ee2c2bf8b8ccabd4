import { internalEvent } from '../../platform/event.ts'
import type { CommentChange } from '../comments/change/change.ts'
import type { User } from '../users/user.ts'
import type { Level } from './preference.ts'

/** A user who is notified of a change by at least one channel. */
export interface Recipient {
  user: User
  /** Whether it is addressed to the user as author, participant, mentioned or assigned user. Others only subscribed. */
  isAddressed: boolean
  /** Whether this very change mentions the user. */
  isMentioned: boolean
  /** Whether the user wants it in the inbox. */
  wantsInbox: boolean
  /** Whether the user wants an email. */
  wantsEmail: boolean
  /** The preference behind `wantsEmail`. */
  email: Level
}

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
