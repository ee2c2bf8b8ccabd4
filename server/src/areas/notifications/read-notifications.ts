import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, raw, type Sql, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { type Cut, withinBytes } from '../../platform/page.ts'
import { type Inbox, shownCopies } from './inbox.ts'
import type { NotificationRow } from './notification.ts'

/** The position of a notification in a list: its time, or the time when it appeared in the inbox; then its key. */
export type Position = [at: number, key: string]

/** Where a notification stands in its list: a further page begins after it. */
export const positionOf = ({ at, key }: ListedNotification): Position => [at, key]

interface ListedNotification extends NotificationRow, Cut {
  at: number
}

interface Query {
  organizationKey: string
  /** Only notifications of which the user has a copy that appeared by `now`; undefined: all. */
  inbox?: Inbox | undefined
  /** A condition on `notification n`. */
  condition: Sql
  after: Position | undefined
  order: 'asc' | 'desc'
  limit: number
  maxBytes: number
}

/**
 * Reads notifications by position. The page is cut by number before joins and by bytes before texts are read, so its
 * cost depends only on its own rows.
 */
export function readNotifications(db: Db, { apiKey }: ApiKeyTenant, query: Query): Promise<ListedNotification[]> {
  const { organizationKey, order } = query
  const byPosition = sql`at ${raw(order)}, key ${raw(order)}`
  return db.query<ListedNotification>(sql`
    select p.key, p.id, p.record, p."timestamp", p.at, p.copy,
      (select id
       from document
       where api_key = ${apiKey} and organization_key = ${organizationKey} and key = p.document_key) as "documentId",
      (select id
       from comment_annotation
       where api_key = ${apiKey} and organization_key = ${organizationKey} and key = p.annotation_key) as "annotationId",
      (select jsonb_build_object(
         'commentText', record ->> 'commentText', 'commentHtml', record ->> 'commentHtml', 'to', record -> 'to')
       from comment
       where api_key = ${apiKey} and organization_key = ${organizationKey} and annotation_key = p.annotation_key
         and id = p.comment_id) as comment,
      p.addressed, p.fetched
    from (${withinBytes(sized(apiKey, query), byPosition, query.maxBytes)}) p
    order by p.at ${raw(order)}, p.key ${raw(order)}`)
}

/** The notifications of a page with those they are addressed to, and how many bytes each takes in an answer. */
const sized = (apiKey: string, query: Query): Sql => sql`
  select l.key, l.id, l.record, l."timestamp", l.at, l.copy, l.document_key, l.annotation_key, l.comment_id, a.addressed,
    l.size + octet_length(a.addressed::text) + coalesce((
      select size
      from comment
      where api_key = ${apiKey} and organization_key = ${query.organizationKey} and annotation_key = l.annotation_key
        and id = l.comment_id), 0) as size
  from (${query.inbox ? copiesOf(apiKey, query.inbox, query) : allOf(apiKey, query)}) l
  cross join lateral (
    select coalesce(jsonb_agg(person order by user_key), '[]') as addressed
    from notification_recipient
    where api_key = ${apiKey} and organization_key = ${query.organizationKey} and notification_key = l.key and for_you
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

const copiesOf = (apiKey: string, inbox: Inbox, query: Query) => sql`
  select n.*, r.due_at as at, jsonb_build_object('person', r.person, 'forYou', r.for_you, 'readAt', r.read_at) as copy
  ${shownCopies(apiKey, query.organizationKey, inbox)} and ${query.condition}
    ${afterPosition(sql`r.due_at, r.notification_key`, query)}
  order by r.due_at ${raw(query.order)}, r.notification_key ${raw(query.order)}
  limit ${query.limit}`

const afterPosition = (columns: Sql, { after, order }: Query) =>
  after ? sql`and (${columns}) ${raw(order === 'asc' ? '>' : '<')} (${after[0]}::bigint, ${after[1]}::uuid)` : empty
