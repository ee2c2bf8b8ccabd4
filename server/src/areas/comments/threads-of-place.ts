import { groupBy } from '../../platform/bulk.ts'
import { type Sql, sql } from '../../platform/db/db.ts'
import type { ChangeContext } from '../../platform/event.ts'
import { FIRST_KEY } from '../../platform/id.ts'
import type { CommentChange } from './change/change.ts'
import { deleteThreads } from './delete-threads.ts'
import { findPlaces } from './thread/place.ts'
import { readThreadBatches } from './thread/thread-batches.ts'

/** Threads of a place that are locked, announced and deleted together. */
export const BATCH = 1_000

type Context = Pick<ChangeContext, 'db' | 'tenant' | 'emit'>

/** Where a thread stands in the order in which threads are deleted. */
export interface Position {
  documentKey: string
  updatedAt: number
  key: string
}

/** Before every thread. */
export const BEFORE_ALL: Position = { documentKey: FIRST_KEY, updatedAt: Number.MIN_SAFE_INTEGER, key: FIRST_KEY }

/** A place that is deleted. */
interface Deleted {
  organizationKey: string
  organizationId: string
  goesWith: NonNullable<CommentChange['goesWith']>
  /**
   * How many threads are deleted in all, with those of other places. Their events share the size of those of one call.
   */
  total: number
  /** The threads of the place after a position. */
  after(position: Position): Sql
}

/** The threads of an organization after a position. */
export const ofOrganization = ({ documentKey, updatedAt, key }: Position): Sql => sql`
  (document_key, updated_at, key) > (${documentKey}::uuid, ${updatedAt}::bigint, ${key}::uuid)`

/** Deletes all threads of a place, and announces each as if it were deleted by itself. */
export async function deleteThreadsOf(context: Context, deleted: Deleted): Promise<void> {
  // A batch that has waited for a change may end with a thread that the change has moved ahead of others. So it begins
  // again until nothing is left.
  for (let isLeft = true; isLeft; ) {
    isLeft = false
    // Deleted rows stay in the index until the commit, so each batch begins where the one before has ended.
    for (let position: Position | undefined = BEFORE_ALL; position; ) {
      const { count, next } = await deleteNextThreads(context, deleted, position, BATCH)
      isLeft ||= count > 0
      position = next
    }
  }
}

/** The same for at most `limit` threads after a position. Returns how many, and where to go on if there may be more. */
export async function deleteNextThreads(
  context: Context,
  deleted: Deleted,
  position: Position,
  limit: number,
): Promise<{ count: number; next: Position | undefined }> {
  const batch = await context.db.query<Position>(sql`
    select document_key as "documentKey", updated_at as "updatedAt", key
    from comment_annotation
    where api_key = ${context.tenant.apiKey} and organization_key = ${deleted.organizationKey}
      and ${deleted.after(position)}
    order by document_key, updated_at, key
    limit ${limit}
    for update`)
  if (batch.length > 0) await deleteBatch(context, deleted, batch)
  return { count: batch.length, next: batch.length < limit ? undefined : batch.at(-1) }
}

async function deleteBatch(
  { db, tenant, emit }: Context,
  { organizationKey, organizationId, goesWith, total }: Deleted,
  batch: Position[],
): Promise<void> {
  const documentOf = new Map(batch.map(({ key, documentKey }) => [key, documentKey]))
  const places = await findPlaces(db, tenant, organizationId, [...new Set(documentOf.values())])
  const reading = { wanted: { commentIds: [] } }
  for await (const read of readThreadBatches(db, tenant, organizationKey, [...documentOf.keys()], reading)) {
    const threads = groupBy(read, ({ key }) => documentOf.get(key))
    await deleteThreads(
      db,
      { tenant, emit, actor: null, triggers: {}, total, goesWith },
      places.map((place) => ({ place, threads: threads.get(place.documentKey) ?? [] })),
    )
  }
}
