import type { Static } from '../../platform/schema.ts'
import type { NotificationServiceConfig } from '../workspaces/notification-service.ts'
import type { EmailActivity } from './email-activity.ts'

/** When emails are sent, and what is gathered in one. */
export interface Schedule {
  /** When an activity may be told of. */
  dueAt: number
  /** Null: one email per activity. */
  batch: BatchRule | null
}

export interface BatchRule {
  /** Activities of the same name go into the same email. */
  nameOf(activity: EmailActivity): string
  windowMs: number
  maxActivities: number
}

/**
 * The schedule that a notification config asks for. Where both kinds of batches are on, all of a user's activities in an
 * organization go together: those of a document are among them.
 */
export function scheduleOf(
  { delayConfig, batchConfig }: Static<typeof NotificationServiceConfig>,
  now: number,
): Schedule {
  const dueAt = now + (delayConfig.isEnabled ? delayConfig.delaySeconds * 1000 : 0)
  const { user, document } = batchConfig
  if (user.isEnabled) return { dueAt, batch: batchRule(user, () => 'user') }
  if (document.isEnabled) return { dueAt, batch: batchRule(document, ({ documentKey }) => documentKey) }
  return { dueAt, batch: null }
}

const batchRule = (
  { batchWindowSeconds, maxActivities }: { batchWindowSeconds: number; maxActivities: number },
  nameOf: BatchRule['nameOf'],
): BatchRule => ({ nameOf, windowMs: batchWindowSeconds * 1000, maxActivities })
