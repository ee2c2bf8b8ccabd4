import { sql } from '../../platform/db/db.ts'
import type { JobContext } from '../../platform/work/job.ts'
import { updateCommentRows } from '../comments/thread/comment.ts'
import { commentPages } from '../comments/thread/read-comments.ts'
import { saveThreads } from '../comments/thread/save-threads.ts'
import { lockThreads, type Thread, toComments } from '../comments/thread/thread.ts'
import { batchesOf, sizesOf } from '../comments/thread/thread-batches.ts'
import { deleteJudgmentsOfThreads } from '../memory/judgment/record-judgments.ts'
import { type EraseBatch, pseudonymOf, type Scope, within } from './erasure.ts'
import { commentWithoutUsers, withoutUsers } from './without-users.ts'

/** The most threads of a batch; their comments have about 2 MiB, or they are of one thread. */
const THREADS = 100

/**
 * Erases the users' comments, threads that hold nothing else with what was decided on them, and the users in other threads: mentions, assignments,
 * subscriptions and views. A thread in which others wrote stays; its author becomes a pseudonym.
 */
export const eraseComments: EraseBatch = async (context, scope) => {
  const named = await threadsOfParticipants(context, scope)
  const found = named.length > 0 ? named : await threadsNaming(context, scope)
  const [first] = found
  if (!first) return false
  const { organizationKey } = first
  const keys = found.filter((row) => row.organizationKey === organizationKey).map(({ key }) => key)
  const [batch = []] = batchesOf(await sizesOf(context.db, context.tenant, organizationKey, keys))
  await eraseFrom(context, scope, organizationKey, batch)
  return true
}

interface Found {
  organizationKey: string
  key: string
}

const threadsOfParticipants = ({ db, tenant }: JobContext, scope: Scope): Promise<Found[]> =>
  db.query<Found>(sql`
    select distinct organization_key as "organizationKey", annotation_key as key
    from comment_participant
    where api_key = ${tenant.apiKey} and user_key = any(${scope.userKeys}::uuid[])
      ${within(sql`organization_key`, scope)}
    order by 1, 2
    limit ${THREADS}`)

/** Threads that name a user who is no participant: who resolved them, or is only admitted to them. */
const threadsNaming = ({ db, tenant }: JobContext, scope: Scope): Promise<Found[]> =>
  db.query<Found>(sql`
    select organization_key as "organizationKey", key
    from comment_annotation
    where api_key = ${tenant.apiKey}
      and (resolved_by_key = any(${scope.userKeys}::uuid[])
        or record ->> 'statusUpdatedByUserId' = any(${scope.userIds}::text[])
        or record #> '{visibilityConfig,userIds}' ?| ${scope.userIds}::text[]
        or record #>> '{suggestion,resolvedBy,userId}' = any(${scope.userIds}::text[]))
      ${within(sql`organization_key`, scope)}
    order by 1, 2
    limit ${THREADS}`)

async function eraseFrom(context: JobContext, scope: Scope, organizationKey: string, keys: string[]): Promise<void> {
  const { db, tenant } = context
  const condition = sql`a.key = any(${keys}::uuid[])`
  const threads = await lockThreads(db, tenant, organizationKey, { condition, limit: THREADS, whole: 'none' })
  const pseudonyms = new Map(scope.userIds.map((userId) => [userId, pseudonymOf(context, userId)]))
  const isTheirs = ({ from }: { from: { userId: string } }) => pseudonyms.has(from.userId)
  const isGone = ({ record, comments }: Thread) => isTheirs(record) && comments.every(isTheirs)
  const gone = threads.filter(isGone)
  const kept = threads.filter((thread) => !isGone(thread))
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
