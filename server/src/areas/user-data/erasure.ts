import { empty, raw, type Sql, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import type { JobContext } from '../../platform/work/job.ts'
import { ERASED_NAME, erasedId } from '../activities/log/redact.ts'
import { initialOf, type User } from '../users/user.ts'

/** The users whose data is erased, and the organizations. */
export interface Scope {
  userIds: string[]
  /** The keys of the same users. */
  userKeys: string[]
  /** Null: in every organization of the API key. */
  organizationKeys: string[] | null
}

/**
 * Erases the next batch of one kind of data. Each call is a transaction of its own, so no locks are held for long and
 * an interrupted deletion resumes. Returns false when nothing was left. A task that must read everything returns its
 * position, and gets it as `after` at the next call; at first it is empty.
 */
export type EraseBatch = (context: JobContext, scope: Scope, after: string) => Promise<boolean | string>

/** The most rows of a batch. */
export const BATCH = 1000

/** The SQL condition that a column of organization keys is within the scope, to append to others. */
export const within = (column: Sql, { organizationKeys }: Scope): Sql =>
  organizationKeys === null ? empty : sql`and ${column} = any(${organizationKeys}::uuid[])`

/** Deletes the next rows of a table, by the key of their user in a column. Returns false when nothing was left. */
export async function eraseRows(
  { db, tenant }: JobContext,
  scope: Scope,
  { table, user }: { table: 'notification' | 'reaction' | 'recording'; user: string },
): Promise<boolean> {
  const gone = await db.query(sql`
    delete from ${raw(table)}
    where api_key = ${tenant.apiKey} and (organization_key, key) in (
      select organization_key, key
      from ${raw(table)}
      where api_key = ${tenant.apiKey} and ${raw(user)} = any(${scope.userKeys}::uuid[])
        ${within(sql`organization_key`, scope)}
      order by organization_key, key
      limit ${BATCH}
      for update)
    returning 1 as gone`)
  return gone.length > 0
}

/** Who stands for an erased user: the same as in the activity log. */
export const pseudonymOf = ({ tenant, secrets }: Pick<JobContext, 'tenant' | 'secrets'>, userId: string): User => ({
  userId: erasedId(secrets, tenant.apiKey, keyOf(userId)),
  name: ERASED_NAME,
  initial: initialOf(ERASED_NAME),
})
