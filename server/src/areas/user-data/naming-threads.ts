import { type Sql, sql } from '../../platform/db/db.ts'
import { FIRST_KEY } from '../../platform/id.ts'
import type { JobContext } from '../../platform/work/job.ts'
import { type Scope, within } from './erasure.ts'

/** A page ends with the record that exceeds this: it takes a quarter of a second where it consists of ids. */
const PAGE_BYTES = 1024 * 1024
const PAGE_THREADS = 100
const PAGE_COMMENTS = 1000

/** A thread. */
export interface Found {
  organizationKey: string
  key: string
}

/** The threads of a page that name a user, in order. */
interface Page {
  naming: Found[]
  /** The position after the page, or false when nothing was left. */
  next: string | false
  /** The position after a thread. */
  behind: (thread: Found) => string
}

/** The position before all threads. */
export const FIRST_THREAD = `${FIRST_KEY} ${FIRST_KEY}`
const FIRST_COMMENT = `${FIRST_THREAD} ${Number.MIN_SAFE_INTEGER}`

/**
 * Reads which of the next threads name one of the users who is no participant: who resolved them, is only admitted to
 * them, or stands in a field of the caller's. No index knows them, so all records of threads are looked through, and
 * then all comments, some at a time.
 */
export async function readNaming(context: JobContext, scope: Scope, after: string): Promise<Page> {
  const [organizationKey, key, commentId] = after.split(' ')
  const position = { organizationKey, key, commentId }
  return commentId === undefined ? threadsNaming(context, scope, position) : commentsNaming(context, scope, position)
}

type Position = Record<'organizationKey' | 'key' | 'commentId', string | undefined>

/** The process compares the ids: it takes the same time for any number of users. */
const isNaming = ({ userIds }: Scope) => {
  const ids = new Set(userIds)
  return (row: { userIds: string[] }) => row.userIds.some((id) => ids.has(id))
}

const behindThread = ({ organizationKey, key }: Found): string => `${organizationKey} ${key}`

async function threadsNaming({ db, tenant }: JobContext, scope: Scope, after: Position): Promise<Page> {
  const rows = await db.query<Found & { userIds: string[] }>(sql`
    select organization_key as "organizationKey", key, array_remove(array(
      select jsonb_path_query(record, '$.**.userId') #>> '{}'
      union
      select jsonb_path_query(record, '$.visibilityConfig.userIds[*]') #>> '{}'
      union
      select record ->> 'resolvedByUserId'
      union
      select record ->> 'statusUpdatedByUserId'
    ), null) as "userIds"
    from (
      select *, ${bytesBefore(sql`organization_key, key`)} as before
      from (
        select organization_key, key, record, coalesce(size, 0) as size
        from comment_annotation
        where api_key = ${tenant.apiKey} and (organization_key, key) > (${after.organizationKey}::uuid, ${after.key}::uuid)
          ${within(sql`organization_key`, scope)}
        order by organization_key, key
        limit ${PAGE_THREADS}
      ) p
    ) n
    where before < ${PAGE_BYTES}
    order by organization_key, key`)
  const last = rows.at(-1)
  return { naming: rows.filter(isNaming(scope)), next: last ? behindThread(last) : FIRST_COMMENT, behind: behindThread }
}

async function commentsNaming({ db, tenant }: JobContext, scope: Scope, after: Position): Promise<Page> {
  const rows = await db.query<Found & { commentId: number; userIds: string[] }>(sql`
    select organization_key as "organizationKey", annotation_key as key, id as "commentId", array_remove(array(
      select distinct jsonb_path_query(record, '$.**.userId') #>> '{}'
    ), null) as "userIds"
    from (
      select *, ${bytesBefore(sql`organization_key, annotation_key, id`)} as before
      from (
        select organization_key, annotation_key, id, record, size
        from comment
        where api_key = ${tenant.apiKey}
          and (organization_key, annotation_key, id) > (${after.organizationKey}::uuid, ${after.key}::uuid, ${after.commentId}::bigint)
          ${within(sql`organization_key`, scope)}
        order by organization_key, annotation_key, id
        limit ${PAGE_COMMENTS}
      ) p
    ) n
    where before < ${PAGE_BYTES}
    order by organization_key, annotation_key, id`)
  const naming = new Map(
    rows.filter(isNaming(scope)).map(({ organizationKey, key }) => [key, { organizationKey, key }]),
  )
  const last = rows.at(-1)
  return {
    naming: [...naming.values()],
    next: last ? `${behindThread(last)} ${last.commentId}` : false,
    behind: (thread) => `${behindThread(thread)} ${Number.MAX_SAFE_INTEGER}`,
  }
}

/** SQL: the bytes of the rows of the page before this one. */
const bytesBefore = (order: Sql): Sql => sql`sum(size) over (order by ${order}) - size`
