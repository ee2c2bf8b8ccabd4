import type { ApiKeyTenant } from '../../platform/context.ts'
import { sql, type Transaction, together } from '../../platform/db/db.ts'
import { ensureStatistics } from '../../platform/db/statistics.ts'
import type { Emit } from '../../platform/event.ts'
import type { User } from '../users/user.ts'
import { type CommentChange, changeBuilder, type Triggers } from './change/change.ts'
import { emitCommentChanges } from './change/comment-event.ts'
import type { Place } from './thread/place.ts'
import type { Thread } from './thread/thread.ts'

/** Threads of a document. */
export interface ThreadsOfPlace {
  place: Place
  threads: Thread[]
}

/**
 * Deletes threads of one organization that the transaction has locked, with their comments and reactions, and announces
 * each: `comment.delete` to customers, `comment_annotation.delete` to the activity log.
 */
export async function deleteThreads(
  db: Transaction,
  context: DeletionContext,
  places: ThreadsOfPlace[],
): Promise<void> {
  const { tenant, emit, total, triggers, ...details } = context
  const changes = places.flatMap(({ place, threads }) => {
    const change = changeBuilder(place, tenant.apiKey, triggers)
    return threads.map((thread) => change(thread, 'comment_annotation.delete', details))
  })
  const [first] = changes
  if (!first) return
  await together([emitCommentChanges({ db, tenant, emit }, changes, total), ensureStatistics(db)])
  db.send(sql`
    delete from comment_annotation
    where api_key = ${tenant.apiKey} and organization_key = ${first.place.organizationKey}
      and key = any(${changes.map(({ annotationKey }) => annotationKey)}::uuid[])`)
}

interface DeletionContext {
  tenant: ApiKeyTenant
  emit: Emit
  actor: User | null
  triggers: Triggers
  /** How many threads the call deletes, where these are one batch of them. */
  total?: number
  /** The place that is deleted with the threads. */
  goesWith?: CommentChange['goesWith']
}
