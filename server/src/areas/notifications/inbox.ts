import { empty, type Sql, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { isOfItsOrganization } from '../comments/thread/shown-to.ts'
import { holdsFields } from '../permissions/access/access-fields.ts'
import { isLetInAgain, isRemoved } from '../permissions/access/removed-user.ts'

/** Of a user's copies in an organization those that have appeared by `now`. */
export interface Inbox {
  organizationId: string
  userId: string
  now: number
  unreadOnly?: boolean | undefined
}

/** SQL: the copies `r` that the inbox of a user shows, with their `notification n`. */
export function shownCopies(
  apiKey: string,
  organizationKey: string,
  { organizationId, userId, now, unreadOnly }: Inbox,
): Sql {
  const userKey = keyOf(userId)
  const fields = {
    documentKey: sql`n.document_key`,
    userKey: sql`${userKey}::uuid`,
    access: sql`n.record #> '{context,access}'`,
  }
  return sql`
  from notification_recipient r
  cross join lateral (${notificationOf(apiKey, organizationKey)}) n
  where r.api_key = ${apiKey} and r.organization_key = ${organizationKey} and r.user_key = ${userKey}
    and not r.is_deleted and ${mayStillSee(apiKey, organizationKey, userKey)} and ${hasAppeared(now)}
    ${unreadOnly ? sql`and r.read_at is null` : empty}
    and ${holdsFields(apiKey, organizationKey, fields)}
    and not ${isOfPrivateThread(apiKey, organizationKey, { organizationId, userId })}`
}

/**
 * SQL: the thread of `notification n` is another user's, and private to an organization that the user is not in: one
 * who has left it no longer sees the thread. The offset forces a look-up per notification.
 */
const isOfPrivateThread = (
  apiKey: string,
  organizationKey: string,
  { organizationId, userId }: Pick<Inbox, 'organizationId' | 'userId'>,
): Sql => sql`
  exists (
    select
    from comment_annotation a
    where a.api_key = ${apiKey} and a.organization_key = ${organizationKey} and a.key = n.annotation_key
      and a.record #>> '{visibilityConfig,type}' = 'organizationPrivate'
      and a.record #>> '{from,userId}' is distinct from ${userId}
      and not ${isOfItsOrganization(apiKey, { organizationId, organizationKey }, sql`${keyOf(userId)}::uuid`)}
    offset 0)`

/**
 * Whether a removed user may still see `notification n`: only if its document, or a folder of it, was granted since.
 */
const mayStillSee = (apiKey: string, organizationKey: string, userKey: string): Sql => sql`(
  not ${isRemoved(apiKey, sql`${organizationKey}::uuid`, sql`${userKey}::uuid`)}
  or ${isLetInAgain(apiKey, sql`${organizationKey}::uuid`, sql`${userKey}::uuid`, sql`n.document_key`)})`

/**
 * Whether the inbox shows the copy `notification_recipient r`. Copies that appear immediately use the database's clock,
 * and `now` can be slightly behind it.
 */
export const hasAppeared = (now: number): Sql => sql`r.due_at <= greatest(${now}::bigint, now_ms())`

/**
 * The notification of `notification_recipient r`. The limit makes the planner look each up by key, with or without
 * statistics.
 */
export const notificationOf = (apiKey: string, organizationKey: string): Sql => sql`
  select *
  from notification
  where api_key = ${apiKey} and organization_key = ${organizationKey} and key = r.notification_key
  limit 1`
