import { empty, type Sql, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import type { JobContext } from '../../platform/work/job.ts'
import { ERASED_NAME } from '../activities/log/redact.ts'
import { initialOf, type User } from '../users/user.ts'

/** Whose data goes, and where. */
export interface Scope {
  userIds: string[]
  /** The keys of the same users. */
  userKeys: string[]
  /** Null: in every organization of the API key. */
  organizationKeys: string[] | null
}

/**
 * Deletes the next batch of one kind of data; false: there was none left. Each call is a transaction of its own, so
 * that no deletion holds its locks for long and one that is interrupted goes on where it was. What is found only by
 * reading everything answers how far it has read, and gets that as `after` the next time; empty at first.
 */
export type EraseBatch = (context: JobContext, scope: Scope, after: string) => Promise<boolean | string>

/** How many rows one batch takes at most. */
export const BATCH = 1000

/** The condition that a column of organization keys is within the scope, to be added to others. */
export const within = (column: Sql, { organizationKeys }: Scope): Sql =>
  organizationKeys === null ? empty : sql`and ${column} = any(${organizationKeys}::uuid[])`

/** Who stands for an erased user: always the same, and nobody can trace it back without the master key. */
export function pseudonymOf({ tenant, secrets }: Pick<JobContext, 'tenant' | 'secrets'>, userId: string): User {
  const hash = secrets.hash(`erased:${tenant.apiKey}:${keyOf(userId)}`)
  const id = `erased_${keyOf(hash).replaceAll('-', '')}`
  return { userId: id, name: ERASED_NAME, initial: initialOf(ERASED_NAME) }
}
