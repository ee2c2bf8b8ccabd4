import type { ApiKeyTenant } from '../../platform/context.ts'
import type { Db } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { batchingOf } from '../notifications/batching.ts'
import { notificationsCreated } from '../notifications/notification-event.ts'
import { asStored } from '../users/user.ts'
import { emailService } from '../workspaces/setting/email-service.ts'
import { notificationService } from '../workspaces/setting/notification-service.ts'
import { serviceForChange } from '../workspaces/setting/service-config.ts'
import { isTriggered } from '../workspaces/setting/trigger.ts'
import { activitiesOf, type EmailActivity } from './email-activity.ts'
import { enqueueEmails } from './enqueue-emails.ts'

/**
 * Queues emails to recipients of a change who want emails, in the transaction of the change. Who saves a thread holds
 * removals, so that one that begins meanwhile ends these emails.
 */
export const queueEmails = on(notificationsCreated, async (context, created) => {
  const { db, tenant, clock, wake } = context
  const activities = created.flatMap(activitiesOf)
  if (activities.length === 0) return
  const email = await serviceForChange(context, emailService)
  if (!email.isOn) return
  const notification = await serviceForChange(context, notificationService)
  const reachable = await withAddress(db, tenant, activities)
  const due = reachable.filter(({ eventType }) => isTriggered(email.config.triggers, eventType))
  await enqueueEmails(db, tenant, due, batchingOf(notification.config, clock.now()))
  if (due.length > 0) wake()
})

/** The activities of users with an address. */
async function withAddress(db: Db, tenant: ApiKeyTenant, activities: EmailActivity[]): Promise<EmailActivity[]> {
  const users = await asStored(
    db,
    tenant,
    activities.map(({ user }) => user),
  )
  return activities.flatMap((activity, index) => {
    const user = users[index]
    return user?.email === undefined ? [] : [{ ...activity, user }]
  })
}
