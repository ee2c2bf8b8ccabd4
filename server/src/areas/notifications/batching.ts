import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql, type Transaction } from '../../platform/db/db.ts'
import { inTurn } from '../../platform/db/list-lock.ts'
import type { Static } from '../../platform/schema.ts'
import type { NotificationServiceConfig } from '../workspaces/setting/notification-service.ts'

/** When copies of notifications appear in the inbox, and when emails are sent. */
export interface Batching {
  now: number
  /** When a copy appears that is in no batch, or that fills its batch; null: immediately. */
  dueAt: number | null
  batch: Batch | null
}

/** What shares a batch, how long one is open, and how many fill it. */
export interface Batch {
  by: 'user' | 'document'
  windowMs: number
  maxActivities: number
}

/**
 * The batching of a notification config. If both kinds of batches are on, all copies of a user in an organization share
 * a batch, and so do all emails.
 */
export function batchingOf(
  { delayConfig, batchConfig }: Static<typeof NotificationServiceConfig>,
  now: number,
): Batching {
  const by = (['user', 'document'] as const).find((kind) => batchConfig[kind].isEnabled)
  const dueAt = delayConfig.isEnabled ? now + delayConfig.delaySeconds * 1000 : null
  if (!by) return { now, dueAt, batch: null }
  const { batchWindowSeconds, maxActivities } = batchConfig[by]
  return { now, dueAt, batch: { by, windowMs: batchWindowSeconds * 1000, maxActivities } }
}

/** A user's copy of a notification. */
interface Copy {
  organizationKey: string
  documentKey: string
  userKey: string
}

/**
 * Returns for each copy when it appears, and the open batch that it joins. A batch appears as a whole at the end of its
 * window and the delay. It takes nothing after its window, so everything in it waits for the delay.
 */
export async function batchCopies<Item extends Copy>(
  db: Db,
  tenant: ApiKeyTenant,
  copies: Item[],
  { now, dueAt, batch }: Batching,
): Promise<(Item & { dueAt: number | null; batch: string | null })[]> {
  if (!batch) return copies.map((copy) => ({ ...copy, dueAt, batch: null }))
  // Joining and filling batches take turns. Otherwise a batch could be opened twice, or a full one stay closed.
  const lists = copies.map(({ organizationKey }) => `inbox ${tenant.apiKey} ${organizationKey}`)
  const open = await inTurn(db, ...lists).query<{ name: string; dueAt: number }>(sql`
    select concat_ws(' ', organization_key, user_key, batch) as name, min(due_at) as "dueAt"
    from notification_recipient
    where api_key = ${tenant.apiKey} and ${ofSame(copies)} and batch is not null and due_at > ${dueAt ?? now}::bigint
      and not is_deleted
    group by 1`)
  const ends = new Map(open.map((row) => [row.name, row.dueAt]))
  const end = (dueAt ?? now) + batch.windowMs
  return copies.map((copy) => {
    const name = batch.by === 'user' ? copy.organizationKey : copy.documentKey
    const own = ends.get([copy.organizationKey, copy.userKey, name].join(' '))
    return { ...copy, dueAt: own ?? end, batch: name }
  })
}

/**
 * Sends a statement that ends the batches that these copies have filled, after the delay, and those whose window is
 * over.
 */
export function endBatches(
  db: Transaction,
  tenant: ApiKeyTenant,
  copies: Copy[],
  { now, dueAt, batch }: Batching,
): void {
  if (!batch) return
  const first = dueAt ?? now
  db.send(sql`
    update notification_recipient r
    set batch = null, due_at = least(r.due_at, ${first}::bigint)
    from (
      select organization_key, user_key, batch, count(*) filter (where due_at > ${first}::bigint and not is_deleted) as waiting
      from notification_recipient
      where api_key = ${tenant.apiKey} and ${ofSame(copies)} and batch is not null
      group by organization_key, user_key, batch
    ) b
    where r.api_key = ${tenant.apiKey} and r.organization_key = b.organization_key and r.user_key = b.user_key
      and r.batch = b.batch and (r.due_at <= ${first}::bigint or b.waiting >= ${batch.maxActivities}::integer)`)
}

/** The condition on `notification_recipient` for the users of these copies in their organizations. */
const ofSame = (copies: Copy[]) => sql`
  (organization_key, user_key) in (
    select * from unnest(
      ${copies.map(({ organizationKey }) => organizationKey)}::uuid[],
      ${copies.map(({ userKey }) => userKey)}::uuid[]))`
