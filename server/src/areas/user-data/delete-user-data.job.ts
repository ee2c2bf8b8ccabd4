import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { type Job, job } from '../../platform/work/job.ts'
import { completeTask, findDeletion } from './deletion.ts'
import { eraseAccess, eraseProfiles } from './erase-access.ts'
import { eraseComments } from './erase-comments.ts'
import { eraseEmails } from './erase-emails.ts'
import { eraseEvents } from './erase-events.ts'
import { eraseActivities, eraseJudgments, eraseReactions, eraseRecordings } from './erase-feature-data.ts'
import { eraseNotifications } from './erase-notifications.ts'
import type { EraseBatch } from './erasure.ts'

// Access is erased first, so that nothing new is delivered to the users.
const TASKS: EraseBatch[] = [
  eraseAccess,
  eraseComments,
  eraseReactions,
  eraseRecordings,
  eraseNotifications,
  eraseEmails,
  eraseActivities,
  eraseJudgments,
  eraseEvents,
  eraseProfiles,
]

/** How many tasks a deletion has. */
export const TASK_COUNT = TASKS.length

/** Runs one batch of a deletion, and enqueues the next run in the same transaction. */
export const deleteUserDataBatch: Job<{ deletionId: string; after?: string }> = job({
  name: 'user-data.delete',
  async run(context, { deletionId, after = '' }) {
    const { db, tenant, enqueue } = context
    const deletion = await findDeletion(db, tenant, deletionId, sql`for update`)
    const task = deletion && TASKS[deletion.tasksDone]
    if (!task) return
    const { userIds, organizationKeys } = deletion
    const goesOn = await task(context, { userIds, userKeys: userIds.map(keyOf), organizationKeys }, after)
    if (goesOn === false) await completeTask(db, tenant, deletionId)
    await enqueue(deleteUserDataBatch, [{ deletionId, ...(typeof goesOn === 'string' && { after: goesOn }) }])
  },
})
