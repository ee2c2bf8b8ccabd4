import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { ensureStatistics } from '../../platform/db/statistics.ts'
import type { Emit } from '../../platform/event.ts'
import type { User } from '../users/user.ts'
import { changeBuilder, type Triggers } from './change/change.ts'
import { emitCommentChanges } from './change/comment-event.ts'
import type { Place } from './thread/place.ts'
import type { Thread } from './thread/thread.ts'

/** Deletes threads that the transaction has locked, with their comments and reactions, and announces each. */
export async function deleteThreads(db: Db, context: DeletionContext, threads: Thread[]): Promise<void> {
  const { tenant, place } = context
  await announceDeleted(context, threads)
  await ensureStatistics(db)
  await db.query(sql`
    delete from comment_annotation
    where api_key = ${tenant.apiKey} and organization_key = ${place.organizationKey}
      and key = any(${threads.map(({ key }) => key)}::uuid[])`)
}

/** Emits that threads are deleted: `comment.delete` to customers, `comment_annotation.delete` to the activity log. */
export function announceDeleted(
  { tenant, emit, place, actor, triggers, total }: DeletionContext,
  threads: Thread[],
): Promise<void> {
  const change = changeBuilder(place, tenant.apiKey, triggers)
  const changes = threads.map((thread) => change(thread, 'comment_annotation.delete', { actor }))
  return emitCommentChanges(emit, tenant.apiKey, changes, total)
}

interface DeletionContext {
  tenant: ApiKeyTenant
  emit: Emit
  place: Place
  actor: User | null
  triggers: Triggers
  /** How many threads the call deletes, where these are one batch of them. */
  total?: number
}
