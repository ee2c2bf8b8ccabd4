import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import type { Comment } from '../comment/comment.ts'
import type { ThreadKeys } from '../comment/read-comments.ts'
import { NO_ROLES, type Roles } from './participant.ts'
import type { Thread } from './thread.ts'

/** A comment before its edit, and after it; deleted: undefined. */
interface Edit {
  old: Comment
  comment?: Comment
}

/**
 * Reads what those users are to a thread whom these edits no longer name, by user id: others of its comments may name
 * them. The edits were sent before. It looks through all comments; undefined if it need not, as nobody is left out.
 */
export function readRolesLeft(
  db: Db,
  { apiKey }: ApiKeyTenant,
  { organizationKey, annotationKey }: ThreadKeys,
  edits: Edit[],
): Promise<Map<string, Roles>> | undefined {
  const userIds = [...new Set(edits.flatMap(noLongerNamed))]
  if (userIds.length === 0) return undefined
  const reading = db.query<Roles & { userId: string }>(sql`
    select named.id as "userId", bool_or(named.is_author) as "isAuthor", bool_or(not named.is_author) as "isMentioned"
    from comment c
    cross join lateral (
      select c.record #>> '{from,userId}' as id, true as is_author
      union all
      select person ->> 'userId', false
      from jsonb_array_elements(c.record -> 'to') as person
    ) named
    where c.api_key = ${apiKey} and c.organization_key = ${organizationKey} and c.annotation_key = ${annotationKey}
      and named.id = any(${userIds}::text[])
    group by named.id`)
  return reading.then((rows) => {
    const left = new Map(rows.map(({ userId, ...roles }) => [userId, roles]))
    return new Map(userIds.map((userId) => [userId, left.get(userId) ?? NO_ROLES]))
  })
}

function noLongerNamed({ old, comment }: Edit): string[] {
  const mentioned = new Set(comment?.to.map(({ userId }) => userId))
  const unmentioned = old.to.filter(({ userId }) => !mentioned.has(userId))
  const authors = old.from.userId === comment?.from.userId ? [] : [old.from]
  return [...authors, ...unmentioned].map(({ userId }) => userId)
}

/** Reads how many comments a thread has, and when its newest was made, once some were deleted. */
export async function readCommentsLeft(
  db: Db,
  { apiKey }: ApiKeyTenant,
  { organizationKey, annotationKey }: ThreadKeys,
): Promise<Pick<Thread, 'commentsCount' | 'newestAt'>> {
  const [left = { commentsCount: 0, newestAt: 0 }] = await db.query<Pick<Thread, 'commentsCount' | 'newestAt'>>(sql`
    select count(*) as "commentsCount", coalesce(max(created_at), 0) as "newestAt"
    from comment
    where api_key = ${apiKey} and organization_key = ${organizationKey} and annotation_key = ${annotationKey}`)
  return left
}
