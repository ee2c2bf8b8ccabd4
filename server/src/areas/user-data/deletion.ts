import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'

/** A request to delete the data of users. */
export interface Deletion {
  userIds: string[]
  organizationKeys: string[] | null
  taskCount: number
  tasksDone: number
  lastTaskCompletedAt: number | null
}

/** Returns the deletion with this id. `lock` is the locking clause of its row. */
export async function findDeletion(db: Db, tenant: ApiKeyTenant, id: string, lock: Sql): Promise<Deletion | undefined> {
  const [deletion] = await db.query<Deletion>(sql`
    select user_ids as "userIds", organization_keys as "organizationKeys", task_count as "taskCount",
      tasks_done as "tasksDone", last_task_completed_at as "lastTaskCompletedAt"
    from user_data_deletion
    where api_key = ${tenant.apiKey} and id = ${id}
    ${lock}`)
  return deletion
}

/** Counts a task as done. The last one also clears the user ids. */
export async function completeTask(db: Db, tenant: ApiKeyTenant, id: string): Promise<void> {
  await db.query(sql`
    update user_data_deletion
    set tasks_done = tasks_done + 1, last_task_completed_at = now_ms(),
      user_ids = case when tasks_done + 1 < task_count then user_ids else '{}' end
    where api_key = ${tenant.apiKey} and id = ${id}`)
}
