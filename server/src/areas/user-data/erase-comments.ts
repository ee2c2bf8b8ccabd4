import { sql } from '../../platform/db/db.ts'
import type { JobContext } from '../../platform/work/job.ts'
import { updateCommentRows } from '../comments/comment/comment.ts'
import { commentPages } from '../comments/comment/comment-pages.ts'
import { lockThreads } from '../comments/thread/lock-threads.ts'
import { saveThreads } from '../comments/thread/save-threads.ts'
import { type Thread, toComments } from '../comments/thread/thread.ts'
import { batchesOf, sizesOf } from '../comments/thread/thread-batches.ts'
import { deleteJudgmentsOfThreads } from '../memory/judgment/record-judgments.ts'
import { holdRemovals } from '../permissions/access/removed-user.ts'
import { type EraseBatch, pseudonymOf, type Scope, within } from './erasure.ts'
import { FIRST_THREAD, type Found, readNaming } from './naming-threads.ts'
import { commentWithoutUsers, withoutUsers } from './without-users.ts'

/** The most threads of a batch; their comments have about 2 MiB, or they are of one thread. */
const THREADS = 100

/**
 * Erases the users' comments, threads that hold no other, with what was decided on them, and the users in other
 * threads: mentions, assignments, subscriptions, views, and where fields of the caller's name them. A thread that holds
 * comments of others stays; its author becomes a pseudonym.
 */
export const eraseComments: EraseBatch = async (context, scope, after) => {
  if (after !== '') return eraseFromNaming(context, scope, after)
  const found = await threadsOfParticipants(context, scope)
  if (found.length === 0) return eraseFromNaming(context, scope, FIRST_THREAD)
  await eraseFromFirst(context, scope, found)
  return true
}

/** The next threads in which the users take part. The index of each user knows their order. */
const threadsOfParticipants = ({ db, tenant }: JobContext, scope: Scope): Promise<Found[]> =>
  db.query<Found>(sql`
    select distinct p.organization_key as "organizationKey", p.annotation_key as key
    from unnest(${scope.userKeys}::uuid[]) as u (key)
    cross join lateral (
      select organization_key, annotation_key
      from comment_participant
      where api_key = ${tenant.apiKey} and user_key = u.key ${within(sql`organization_key`, scope)}
      order by organization_key, annotation_key
      limit ${THREADS}
    ) p
    order by 1, 2
    limit ${THREADS}`)

/**
 * Erases the users from those of the next threads that name one who is no participant. Returns the position, or false
 * when nothing was left.
 */
async function eraseFromNaming(context: JobContext, scope: Scope, after: string): Promise<string | false> {
  const page = await readNaming(context, scope, after)
  const erased = await eraseFromFirst(context, scope, page.naming)
  const last = page.naming[erased - 1]
  return erased < page.naming.length && last ? page.behind(last) : page.next
}

/** Erases the users from the first of these threads, as many as make a batch. Returns how many. */
async function eraseFromFirst(context: JobContext, scope: Scope, found: Found[]): Promise<number> {
  const [first] = found
  if (!first) return 0
  const { organizationKey } = first
  const keys = found.filter((row) => row.organizationKey === organizationKey).map(({ key }) => key)
  const [batch = []] = batchesOf(await sizesOf(context.db, context.tenant, organizationKey, keys))
  await eraseFrom(context, scope, organizationKey, batch)
  return batch.length
}

async function eraseFrom(context: JobContext, scope: Scope, organizationKey: string, keys: string[]): Promise<void> {
  const { db, tenant } = context
  const condition = sql`a.key = any(${keys}::uuid[])`
  const wanted = { outlines: true }
  const threads = await lockThreads(db, tenant, organizationKey, { condition, limit: THREADS, wanted })
  const pseudonyms = new Map(scope.userIds.map((userId) => [userId, pseudonymOf(context, userId)]))
  const isTheirs = ({ from }: { from: { userId: string } }) => pseudonyms.has(from.userId)
  const isGone = ({ comments }: Thread) => comments.every(isTheirs)
  const gone = threads.filter(isGone)
  const kept = threads.filter((thread) => !isGone(thread))
  // What is saved holds them too, but a removal must not wait before for a subscription that is deleted here.
  holdRemovals(db, tenant, organizationKey)
  await db.query(sql`
    delete from comment_annotation
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
      and key = any(${gone.map(({ key }) => key)}::uuid[])`)
  await deleteJudgmentsOfThreads(
    db,
    tenant,
    gone.map(({ key }) => ({ organizationKey, key })),
  )
  await deleteComments(context, organizationKey, kept, isTheirs)
  const changed = kept.map((thread) => withoutUsers(thread, pseudonyms))
  saveThreads(db, tenant, organizationKey, changed)
  const keptKeys = kept.map(({ key }) => key)
  for await (const page of commentPages(db, tenant, organizationKey, keptKeys)) {
    const comments = toComments(page, new Map()).map((comment) => commentWithoutUsers(comment, pseudonyms))
    const rows = page.flatMap(({ key }, i) => (comments[i] ? [{ annotationKey: key, comment: comments[i] }] : []))
    updateCommentRows(db, tenant, organizationKey, rows)
  }
  await db.query(sql`
    delete from comment_participant
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
      and annotation_key = any(${keys}::uuid[]) and user_key = any(${scope.userKeys}::uuid[])`)
}

async function deleteComments(
  { db, tenant }: JobContext,
  organizationKey: string,
  threads: Thread[],
  isTheirs: (comment: Thread['comments'][number]) => boolean,
): Promise<void> {
  const gone = threads.flatMap(({ key, comments }) =>
    comments.filter(isTheirs).map(({ commentId }) => ({ key, commentId })),
  )
  if (gone.length === 0) return
  await db.query(sql`
    delete from comment c
    using unnest(
      ${gone.map(({ key }) => key)}::uuid[],
      ${gone.map(({ commentId }) => commentId)}::bigint[]
    ) as g (annotation_key, id)
    where c.api_key = ${tenant.apiKey} and c.organization_key = ${organizationKey}
      and c.annotation_key = g.annotation_key and c.id = g.id`)
}
