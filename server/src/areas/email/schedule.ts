import type { Static } from '../../platform/schema.ts'
import type { NotificationServiceConfig } from '../workspaces/notification-service.ts'
import type { EmailActivity } from './email-activity.ts'

/** When emails are sent, and how activities are batched. */
export interface Schedule {
  /** The earliest time of an email about an activity. */
  dueAt: number
  /** Null: one email per activity. */
  batch: BatchRule | null
}

export interface BatchRule {
  /** Activities with the same name go into the same email. */
  nameOf(activity: EmailActivity): string
  windowMs: number
  maxActivities: number
}

/**
 * The schedule of a notification config. If both kinds of batches are on, all activities of a user in an organization
 * share a batch.
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
