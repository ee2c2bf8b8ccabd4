import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { newCommentId } from './comment.ts'
import type { CommentInput } from './comment-input.ts'
import type { ThreadKeys } from './read-comments.ts'

/**
 * Returns those of the comments that may be added to a thread, in their order: those whose id no comment of the thread
 * has, and those without an id, under new ones. The transaction locks the thread before.
 */
export async function withFreeIds(
  db: Db,
  tenant: ApiKeyTenant,
  thread: ThreadKeys,
  sent: CommentInput[],
): Promise<CommentInput[]> {
  const used = new Set(sent.flatMap(({ commentId }) => commentId ?? []))
  const drawn = sent.map((item) => ({ item, id: item.commentId ?? newCommentId(used) }))
  const free = new Set<number>()
  for (let open = drawn; open.length > 0; ) {
    const ids = open.map(({ id }) => id)
    const taken = await takenIds(db, tenant, thread, ids)
    for (const id of ids) if (!taken.has(id)) free.add(id)
    open = open.filter(({ item, id }) => item.commentId === undefined && taken.has(id))
    for (const each of open) each.id = newCommentId(used)
  }
  return drawn.filter(({ id }) => free.has(id)).map(({ item, id }) => ({ ...item, commentId: id }))
}

/** Those of the ids that comments of the thread have. */
async function takenIds(
  db: Db,
  { apiKey }: ApiKeyTenant,
  { organizationKey, annotationKey }: ThreadKeys,
  ids: number[],
): Promise<Set<number>> {
  const rows = await db.query<{ id: number }>(sql`
    select id
    from comment
    where api_key = ${apiKey} and organization_key = ${organizationKey} and annotation_key = ${annotationKey}
      and id = any(${ids}::bigint[])`)
  return new Set(rows.map(({ id }) => id))
}
