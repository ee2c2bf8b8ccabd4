import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, raw, type Sql, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { type Cut, withinBytes } from '../../platform/page.ts'
import { holdsFields } from '../permissions/access-fields.ts'
import { isLive, isMember, reachesDocument } from '../permissions/grant.ts'
import { isRemoved } from '../permissions/removed-user.ts'
import type { NotificationRow } from './notification.ts'

/** The position of a notification in a list: its time, or the time when it appeared in the inbox; then its key. */
export type Position = [at: number, key: string]

export const positionOf = ({ at, key }: ListedNotification): Position => [at, key]

interface ListedNotification extends NotificationRow, Cut {
  at: number
}

/** Of a user's copies in an organization those that have appeared by `now`. */
interface Inbox {
  organizationId: string
  userId: string
  now: number
}

interface Query {
  organizationKey: string
  /** Only notifications of which the user has a copy that appeared by `now`; undefined: all. */
  inbox?: (Inbox & { unreadOnly?: boolean | undefined }) | undefined
  /** A condition on `notification n`. */
  condition: Sql
  after: Position | undefined
  order: 'asc' | 'desc'
  limit: number
  maxBytes: number
}

/**
 * Reads notifications by position. The page is cut by number before joins and by bytes before texts are read, so its cost
 * depends only on its own rows.
 */
export function readNotifications(db: Db, { apiKey }: ApiKeyTenant, query: Query): Promise<ListedNotification[]> {
  const { organizationKey, order } = query
  const byPosition = sql`at ${raw(order)}, key ${raw(order)}`
  return db.query<ListedNotification>(sql`
    select n.key, n.id, n.record, n."timestamp", n.at, n.copy,
      (select id from document where api_key = ${apiKey} and organization_key = ${organizationKey} and key = n.document_key) as "documentId",
      (select id from comment_annotation where api_key = ${apiKey} and organization_key = ${organizationKey} and key = n.annotation_key) as "annotationId",
      (select jsonb_build_object(
         'commentText', record ->> 'commentText', 'commentHtml', record ->> 'commentHtml', 'to', record -> 'to')
       from comment
       where api_key = ${apiKey} and organization_key = ${organizationKey} and annotation_key = n.annotation_key and id = n.comment_id) as comment,
      n.addressed, n.fetched
    from (${withinBytes(sized(apiKey, query), byPosition, query.maxBytes)}) n
    order by n.at ${raw(order)}, n.key ${raw(order)}`)
}

/** The notifications of a page with those they are addressed to, and how many bytes each takes in an answer. */
const sized = (apiKey: string, query: Query): Sql => sql`
  select n.key, n.id, n.record, n."timestamp", n.at, n.copy, n.document_key, n.annotation_key, n.comment_id, a.addressed,
    n.size + octet_length(a.addressed::text) + coalesce((
      select size
      from comment
      where api_key = ${apiKey} and organization_key = ${query.organizationKey} and annotation_key = n.annotation_key and id = n.comment_id), 0) as size
  from (${query.inbox ? copiesOf(apiKey, query.inbox, query) : allOf(apiKey, query)}) n
  cross join lateral (
    select coalesce(jsonb_agg(person order by user_key), '[]') as addressed
    from notification_recipient
    where api_key = ${apiKey} and organization_key = ${query.organizationKey} and notification_key = n.key and for_you
      and not is_deleted
      ${query.inbox ? sql`and user_key = ${keyOf(query.inbox.userId)}` : empty}
  ) a`

const allOf = (apiKey: string, query: Query) => sql`
  select n.*, n."timestamp" as at, null as copy
  from notification n
  where n.api_key = ${apiKey} and n.organization_key = ${query.organizationKey} and ${query.condition}
    ${afterPosition(sql`n."timestamp", n.key`, query)}
  order by n."timestamp" ${raw(query.order)}, n.key ${raw(query.order)}
  limit ${query.limit}`

const copiesOf = (apiKey: string, inbox: Inbox & { unreadOnly?: boolean | undefined }, query: Query) => sql`
  select n.*, r.due_at as at, jsonb_build_object('person', r.person, 'forYou', r.for_you, 'readAt', r.read_at) as copy
  ${shownCopies(apiKey, query.organizationKey, inbox)} and ${query.condition}
    ${inbox.unreadOnly ? sql`and ${isUnread}` : empty}
    ${afterPosition(sql`r.due_at, r.notification_key`, query)}
  order by r.due_at ${raw(query.order)}, r.notification_key ${raw(query.order)}
  limit ${query.limit}`

const isUnread = sql`r.read_at is null`

/** SQL: the copies `r` that the inbox of a user shows, with their `notification n`. */
function shownCopies(apiKey: string, organizationKey: string, { organizationId, userId, now }: Inbox): Sql {
  const userKey = keyOf(userId)
  return sql`
  from notification_recipient r
  cross join lateral (${notificationOf(apiKey, organizationKey)}) n
  where r.api_key = ${apiKey} and r.organization_key = ${organizationKey} and r.user_key = ${userKey}
    and not r.is_deleted and ${mayStillSee(apiKey, organizationKey, userKey)} and ${hasAppeared(now)}
    and ${holdsFields(apiKey, organizationKey, { documentKey: sql`n.document_key`, userKey: sql`${userKey}::uuid`, access: sql`n.record #> '{context,access}'` })}
    and (${isMember(apiKey, organizationKey, sql`${userKey}`)} or not ${isPrivateThread(apiKey, organizationKey, { organizationId, userId })})`
}

/**
 * SQL: the thread of `notification n` is private to its organization, and another user's. A user who has left the
 * organization no longer sees it. The offset forces a look-up per notification.
 */
const isPrivateThread = (
  apiKey: string,
  organizationKey: string,
  { organizationId, userId }: Pick<Inbox, 'organizationId' | 'userId'>,
): Sql => sql`
  exists (
    select
    from comment_annotation a
    where a.api_key = ${apiKey} and a.organization_key = ${organizationKey} and a.key = n.annotation_key
      and a.record #>> '{visibilityConfig,type}' = 'organizationPrivate'
      and a.record #>> '{visibilityConfig,organizationId}' = ${organizationId}
      and a.record #>> '{from,userId}' is distinct from ${userId}
    offset 0)`

/** Counts what a user has not read of the inbox, and of that what is addressed to the user. It stops at `limit`. */
export async function countUnread(
  db: Db,
  { apiKey }: ApiKeyTenant,
  {
    organizationKey,
    inbox,
    condition,
    limit,
  }: Pick<Query, 'organizationKey' | 'condition' | 'limit'> & { inbox: Inbox },
): Promise<{ unread: number; forYou: number }> {
  const [counted] = await db.query<{ unread: number; forYou: number }>(sql`
    select count(*) as unread, count(*) filter (where for_you) as "forYou"
    from (
      select r.for_you
      ${shownCopies(apiKey, organizationKey, inbox)} and ${condition} and ${isUnread}
      limit ${limit}
    ) u`)
  return counted ?? { unread: 0, forYou: 0 }
}

/**
 * Whether a removed user may still see `notification n`: only if its document, or a folder of it, was granted since.
 */
const mayStillSee = (apiKey: string, organizationKey: string, userKey: string): Sql => sql`(
  not ${isRemoved(apiKey, sql`${organizationKey}::uuid`, sql`${userKey}::uuid`)}
  or exists (
    select
    from document d
    left join folder f
      on f.api_key = d.api_key and f.organization_key = d.organization_key and f.key = d.folder_key
    join access_grant g
      on g.api_key = d.api_key and g.user_key = ${userKey} and g.organization_key = d.organization_key
    where d.api_key = ${apiKey} and d.organization_key = ${organizationKey} and d.key = n.document_key and ${isLive}
      and ${reachesDocument}
  ))`

/**
 * Whether the inbox shows the copy `notification_recipient r`. Copies that appear immediately use the database's clock,
 * and `now` can be slightly behind it.
 */
export const hasAppeared = (now: number): Sql => sql`r.due_at <= greatest(${now}::bigint, now_ms())`

const afterPosition = (columns: Sql, { after, order }: Query) =>
  after ? sql`and (${columns}) ${raw(order === 'asc' ? '>' : '<')} (${after[0]}::bigint, ${after[1]}::uuid)` : empty

/**
 * The notification of `notification_recipient r`. The limit makes the planner look each up by key, with or without
 * statistics.
 */
export const notificationOf = (apiKey: string, organizationKey: string): Sql => sql`
  select *
  from notification
  where api_key = ${apiKey} and organization_key = ${organizationKey} and key = r.notification_key
  limit 1`
