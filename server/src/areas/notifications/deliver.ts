import type { ApiKeyTenant } from '../../platform/context.ts'
import { json, type Sql, sql, type Transaction, together } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { locationKey } from '../locations/location.ts'
import type { User } from '../users/user.ts'
import { type Batching, batchCopies, endBatches } from './batching.ts'
import type { NotificationRecord } from './notification.ts'

/** A notification to deliver. */
export interface Delivery {
  organizationKey: string
  documentKey: string
  id: string
  /** The thread and the comment that it is about. */
  annotationKey: string | null
  commentId: number | null
  record: NotificationRecord
  recipients: { user: User; forYou: boolean }[]
}

const IMMEDIATE: Batching = { now: 0, dueAt: null, batch: null }

/**
 * Delivers notifications, in at most five statements for any number of them. The transaction must protect their
 * documents from deletion. A notification with an existing id stays as it is, and reaches only users who never got it.
 * An id may occur once per organization. Without batches it waits for no answer.
 */
export async function deliver(
  db: Transaction,
  tenant: ApiKeyTenant,
  deliveries: Delivery[],
  batching = IMMEDIATE,
): Promise<void> {
  if (deliveries.length === 0) return
  db.send(insertion(tenant, deliveries))
  await sendToRecipients(db, tenant, deliveries, batching)
}

/** Delivers one notification at once, as `deliver` does. Returns whether it is new. */
export async function deliverOne(db: Transaction, tenant: ApiKeyTenant, delivery: Delivery): Promise<boolean> {
  const [added] = await together([
    db.query(insertion(tenant, [delivery])),
    sendToRecipients(db, tenant, [delivery], IMMEDIATE),
  ])
  return added.length > 0
}

/** SQL: inserts notifications, and returns a row for each that did not exist. */
const insertion = ({ apiKey }: ApiKeyTenant, deliveries: Delivery[]): Sql => sql`
  insert into notification (
    api_key, "timestamp", organization_key, key, id, document_key, location_key, annotation_key, comment_id, actor_key,
    record)
  select ${apiKey}, now_ms(), i.*
  from unnest(
    ${deliveries.map(({ organizationKey }) => organizationKey)}::uuid[],
    ${deliveries.map(({ id }) => keyOf(id))}::uuid[],
    ${deliveries.map(({ id }) => id)}::text[],
    ${deliveries.map(({ documentKey }) => documentKey)}::uuid[],
    ${deliveries.map(({ record }) => locationKey(record.location))}::uuid[],
    ${deliveries.map(({ annotationKey }) => annotationKey)}::uuid[],
    ${deliveries.map(({ commentId }) => commentId)}::bigint[],
    ${deliveries.map(({ record }) => (record.actionUser ? keyOf(record.actionUser.userId) : null))}::uuid[],
    ${deliveries.map(({ record }) => json(record))}::jsonb[]
  ) as i (organization_key, key, id, document_key, location_key, annotation_key, comment_id, actor_key, record)
  order by i.organization_key, i.key
  -- Updates none. Locks one that exists, so that nobody deletes it before its copies are written.
  on conflict (api_key, organization_key, key) do update set record = notification.record where false
  returning 1`

async function sendToRecipients(
  db: Transaction,
  tenant: ApiKeyTenant,
  deliveries: Delivery[],
  batching: Batching,
): Promise<void> {
  const copies = deliveries.flatMap(({ organizationKey, documentKey, id, recipients }) => {
    const key = keyOf(id)
    return recipients.map(({ user, forYou }) => {
      return { organizationKey, documentKey, key, userKey: keyOf(user.userId), user, forYou }
    })
  })
  if (copies.length === 0) return
  const rows = await batchCopies(db, tenant, copies, batching)
  db.send(sql`
    insert into notification_recipient (
      api_key, organization_key, notification_key, user_key, person, for_you, due_at, batch, "timestamp")
    select ${tenant.apiKey}, i.organization_key, i.notification_key, i.user_key, i.person, i.for_you,
      coalesce(i.due_at, now_ms()), i.batch, n."timestamp"
    from unnest(
      ${rows.map(({ organizationKey }) => organizationKey)}::uuid[],
      ${rows.map(({ key }) => key)}::uuid[],
      ${rows.map(({ userKey }) => userKey)}::uuid[],
      ${rows.map(({ user }) => json(user))}::jsonb[],
      ${rows.map(({ forYou }) => forYou)}::boolean[],
      ${rows.map(({ dueAt }) => dueAt)}::bigint[],
      ${rows.map(({ batch }) => batch)}::uuid[]
    ) as i (organization_key, notification_key, user_key, person, for_you, due_at, batch)
    -- The offset forces a look-up per copy, though the planner does not know of notifications made just now.
    cross join lateral (
      select "timestamp"
      from notification
      where api_key = ${tenant.apiKey} and organization_key = i.organization_key and key = i.notification_key
      offset 0
    ) n
    order by i.organization_key, i.notification_key, i.user_key
    on conflict (api_key, organization_key, notification_key, user_key) do nothing`)
  endBatches(db, tenant, rows, batching)
}
