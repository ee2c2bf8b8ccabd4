import type { Notification } from '../../../../client/src/index.ts'
import { allDone } from '../../door/all-done.ts'
import { useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'

/** Whose inbox it is. */
interface Whose {
  organizationId: string
  userId: string
}

/** Marks notifications as read by the person whose inbox it is. */
export function MarkRead({ whose, ids, label }: { whose: Whose; ids: string[]; label: string }) {
  const { notifications } = useTenant().api
  const mark = async () => {
    const changes = ids.map((id) => ({ id, readByUserIds: [whose.userId] }))
    await allDone(notifications.updateNotifications({ ...whose, notifications: changes }))
    return t.notifications.marked
  }
  return <Action needs="administer" label={label} run={mark} />
}

/** What can be done with a notification in somebody's inbox. */
export function InboxActions({ whose, notification: { id, isUnread } }: { whose: Whose; notification: Notification }) {
  const { notifications } = useTenant().api
  const remove = async () => {
    await allDone(notifications.deleteNotifications({ ...whose, notificationIds: [id] }))
    return t.notifications.deleted
  }
  return (
    <>
      {isUnread && <MarkRead whose={whose} ids={[id]} label={t.notifications.markRead} />}
      <Action needs="administer" label={t.delete} confirm={t.notifications.deleteConfirm} danger run={remove} />
    </>
  )
}
