import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { type Cut, pageOf, withinBytes } from '../../platform/page.ts'
import { type Notification, toNotification } from '../notifications/notification.ts'
import { type Position, positionOf, readNotifications } from '../notifications/read-notifications.ts'
import { type ReactionAnnotation, type ReactionRow, toReactionAnnotation } from '../reactions/reaction.ts'
import { findRecordings, type Recording, toRecording } from '../recordings/recording.ts'

/** The user whose data is read, and the organization. */
export interface Subject {
  organizationId: string
  organizationKey: string
  userId: string
  userKey: string
  /** How many bytes a page of each kind of record has at most. A page has at least one record. */
  maxBytes: number
}

/** A page of items and the cursor of the next page; null: there is none. */
export interface Part<Item, Cursor> {
  items: Item[]
  next: Cursor | null
}

/** The most items of a kind on a page. */
export const PAGE = 100

/** Makes a page from rows that were read up to one beyond it. */
function partOf<Row extends Cut, Item, Cursor>(
  rows: Row[],
  items: (rows: Row[]) => Item[],
  cursorOf: (row: Row) => Cursor,
): Part<Item, Cursor> {
  const { page, last } = pageOf(rows, PAGE)
  return { items: items(page), next: last ? cursorOf(last) : null }
}

/** Reads the user's reactions. */
export async function exportReactions(
  db: Db,
  { apiKey }: ApiKeyTenant,
  { organizationId, organizationKey, userKey, maxBytes }: Subject,
  after: number,
): Promise<Part<ReactionAnnotation, number>> {
  const reactions = sql`
    select size, seq, id, comment_id as "commentId", record, created_at as "createdAt",
      (select id
       from comment_annotation
       where api_key = ${apiKey} and organization_key = ${organizationKey} and key = r.annotation_key) as "annotationId",
      (select id
       from document
       where api_key = ${apiKey} and organization_key = ${organizationKey} and key = r.document_key) as "documentId"
    from reaction r
    where api_key = ${apiKey} and organization_key = ${organizationKey} and from_key = ${userKey}
      and seq > ${after}::bigint
    order by seq
    limit ${PAGE + 1}`
  const rows = await db.query<ReactionRow & Cut & { seq: number }>(withinBytes(reactions, sql`seq`, maxBytes))
  const toItem = (row: ReactionRow) => toReactionAnnotation(row, apiKey, organizationId)
  return partOf(
    rows,
    (page) => page.map(toItem),
    ({ seq }) => seq,
  )
}

/** Reads the user's recordings. */
export async function exportRecordings(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, userKey, maxBytes }: Subject,
  after: number,
): Promise<Part<Recording, number>> {
  const condition = sql`
    r.organization_key = ${organizationKey} and r.user_key = ${userKey} and r.seq > ${after}::bigint`
  const rows = await findRecordings(db, tenant, { condition, limit: PAGE + 1, maxBytes })
  return partOf(
    rows,
    (page) => page.map((row) => toRecording(tenant, row)),
    ({ seq }) => seq,
  )
}

/** Reads the notifications that the user received or caused. */
export async function exportNotifications(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationId, organizationKey, userKey, maxBytes }: Subject,
  [timestamp, key]: Position,
): Promise<Part<Notification, Position>> {
  const { apiKey } = tenant
  const found = sql`
    select key
    from (
      (select notification_key as key, "timestamp"
       from notification_recipient
       where api_key = ${apiKey} and organization_key = ${organizationKey} and user_key = ${userKey} and not is_deleted
         and ("timestamp", notification_key) > (${timestamp}::bigint, ${key}::uuid)
       order by "timestamp", notification_key
       limit ${PAGE + 1})
      union
      (select key, "timestamp"
       from notification
       where api_key = ${apiKey} and organization_key = ${organizationKey} and actor_key = ${userKey}
         and ("timestamp", key) > (${timestamp}::bigint, ${key}::uuid)
       order by "timestamp", key
       limit ${PAGE + 1})
    ) n
    order by "timestamp", key
    limit ${PAGE + 1}`
  // One statement: if what was found could be deleted before it is read, the page would seem to be the last.
  const rows = await readNotifications(db, tenant, {
    organizationKey,
    condition: sql`n.key = any(array(${found}))`,
    after: undefined,
    order: 'asc',
    limit: PAGE + 1,
    maxBytes,
  })
  return partOf(rows, (page) => page.map((row) => toNotification(tenant, organizationId, row)), positionOf)
}
