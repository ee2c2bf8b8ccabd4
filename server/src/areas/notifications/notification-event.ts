import { internalEvent } from '../../platform/event.ts'
import type { CommentChange } from '../comments/change/change.ts'
import type { User } from '../users/user.ts'
import type { Level } from './preference.ts'

/** Someone who is told of a change, by at least one channel. */
export interface Recipient {
  user: User
  /** Whether it is addressed to the user: as author, participant, mentioned or assigned; others only subscribed. */
  isAddressed: boolean
  /** Whether this very change mentions the user. */
  isMentioned: boolean
  /** Whether the user's preferences admit it to the inbox. */
  wantsInbox: boolean
  /** Whether the user's preferences admit an email. */
  wantsEmail: boolean
  /** The preference behind `wantsEmail`. */
  email: Level
}

/** People are told of a change to comments. Neither the actor nor anyone who may not see the thread is among them. */
export interface NotificationsCreated {
  /** Null: the notification service is off or does not tell of this event, so no inbox has it. */
  notificationId: string | null
  /** The event type, as triggers name it. */
  eventType: string
  change: CommentChange
  recipients: Recipient[]
}

/** Users have been notified of changes to comments; channels beside the inbox react. */
export const notificationsCreated = internalEvent<NotificationsCreated>('notificationsCreated')
