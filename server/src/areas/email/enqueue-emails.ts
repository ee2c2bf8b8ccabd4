import { withFields } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, json, sql, type Transaction } from '../../platform/db/db.ts'
import { keyOf, optionalKey, randomId } from '../../platform/id.ts'
import type { Batch, Batching } from '../notifications/batching.ts'
import type { User } from '../users/user.ts'
import type { EmailActivity } from './email-activity.ts'

/** An email to be stored. */
interface Draft {
  id: string
  organizationKey: string
  user: User
  /** The name of its batch; null: none. */
  batch: string | null
  activities: EmailActivity[]
}

/**
 * Stores emails about the activities: waits for no statement but those that join or open batches. A batch ends when it
 * is full or due, whichever comes first.
 */
export async function enqueueEmails(
  db: Transaction,
  tenant: ApiKeyTenant,
  activities: EmailActivity[],
  { now, dueAt: after, batch }: Batching,
): Promise<void> {
  if (activities.length === 0) return
  const dueAt = after ?? now
  const drafts = batch ? draftBatches(activities, batch) : activities.map((activity) => newDraft(null, [activity]))
  const isPartial = ({ activities }: Draft) => batch !== null && activities.length < batch.maxActivities
  const whole = drafts.filter((each) => !isPartial(each))
  sendWaiting(db, tenant, whole, dueAt)
  const partial = batch ? await addToOpenBatches(db, tenant, drafts.filter(isPartial), { dueAt, ...batch }) : []
  sendActivities(db, tenant, [...whole, ...partial])
}

function newDraft(batch: string | null, activities: EmailActivity[]): Draft {
  const [first] = activities
  if (!first) throw new Error('An email tells of something.')
  return { id: randomId('eml_'), organizationKey: first.organizationKey, user: first.user, batch, activities }
}

/** Makes as few drafts per user and batch as possible; all but the last are full. */
function draftBatches(activities: EmailActivity[], { by, maxActivities }: Batch): Draft[] {
  const groups = new Map<string, { batch: string; own: EmailActivity[] }>()
  for (const activity of activities) {
    const batch = by === 'user' ? 'user' : activity.documentKey
    const key = JSON.stringify([activity.organizationKey, activity.user.userId, batch])
    const group = groups.get(key) ?? { batch, own: [] }
    group.own.push(activity)
    groups.set(key, group)
  }
  return [...groups.values()].flatMap(({ batch, own }) =>
    Array.from({ length: Math.ceil(own.length / maxActivities) }, (_, index) =>
      newDraft(batch, own.slice(index * maxActivities, (index + 1) * maxActivities)),
    ),
  )
}

function sendWaiting(db: Transaction, tenant: ApiKeyTenant, drafts: Draft[], dueAt: number): void {
  if (drafts.length === 0) return
  db.send(sql`
    insert into email (api_key, status, due_at, id, organization_key, user_key, person, batch, activities)
    select ${tenant.apiKey}, 'waiting', ${dueAt}::bigint, i.*
    from ${rowsOf(drafts)}`)
}

/** Adds drafts to the open batches, and returns them with the ids of the emails that they joined. */
async function addToOpenBatches(
  db: Db,
  tenant: ApiKeyTenant,
  drafts: Draft[],
  batch: Batch & { dueAt: number },
): Promise<Draft[]> {
  const placed: Draft[] = []
  // A batch ends with its window, or when a draft does not fit. Such a draft opens the next one in the second round.
  for (let rest = drafts; rest.length > 0; ) {
    const emailOf = await joinBatches(db, tenant, rest, batch)
    for (const draft of rest) {
      const email = emailOf(draft)
      if (email?.took) placed.push({ ...draft, id: email.id })
    }
    rest = rest.filter((draft) => emailOf(draft)?.took === false)
  }
  return placed
}

/** The email that collects the batch of a draft. */
interface Collecting {
  id: string
  organizationKey: string
  userKey: string
  batch: string
  /** Whether it took the draft; else it ends without it. */
  took: boolean
}

/** Adds each draft to the email that collects its batch, or to a new one. Returns the email of a draft. */
async function joinBatches(
  db: Db,
  tenant: ApiKeyTenant,
  drafts: Draft[],
  { dueAt, windowMs, maxActivities }: Batch & { dueAt: number },
): Promise<(draft: Draft) => Collecting | undefined> {
  const isOpen = sql`e.due_at > ${dueAt}::bigint`
  const rows = await db.query<Collecting>(sql`
    insert into email as e (api_key, status, due_at, id, organization_key, user_key, person, batch, activities)
    select ${tenant.apiKey}, 'collecting', ${dueAt + windowMs}::bigint, i.*
    from ${rowsOf(drafts)}
    order by i.organization_key, i.user_key, i.batch
    on conflict (api_key, organization_key, user_key, batch) where status = 'collecting' do update
    set activities = case
          when ${isOpen} and e.activities + excluded.activities <= ${maxActivities}
            then e.activities + excluded.activities
          else e.activities
        end,
        status = case
          when ${isOpen} and e.activities + excluded.activities < ${maxActivities} then 'collecting'
          else 'waiting'
        end,
        due_at = case
          when ${isOpen} and e.activities + excluded.activities < ${maxActivities} then e.due_at
          else least(e.due_at, ${dueAt}::bigint)
        end
    returning id, organization_key as "organizationKey", user_key as "userKey", batch,
      status = 'collecting' or activities = ${maxActivities} as took`)
  const emails = new Map(rows.map((row) => [`${row.organizationKey} ${row.userKey} ${row.batch}`, row]))
  return ({ organizationKey, user, batch }) => emails.get(`${organizationKey} ${keyOf(user.userId)} ${batch}`)
}

const rowsOf = (drafts: Draft[]) => sql`
    unnest(
      ${drafts.map(({ id }) => id)}::text[],
      ${drafts.map(({ organizationKey }) => organizationKey)}::uuid[],
      ${drafts.map(({ user }) => keyOf(user.userId))}::uuid[],
      ${drafts.map(({ user }) => json(user))}::jsonb[],
      ${drafts.map(({ batch }) => batch)}::text[],
      ${drafts.map(({ activities }) => activities.length)}::integer[]
    ) as i (id, organization_key, user_key, person, batch, activities)`

function sendActivities(db: Transaction, tenant: ApiKeyTenant, drafts: Draft[]): void {
  const rows = drafts.flatMap(({ id, activities }) => activities.map((activity) => withFields(activity, { id })))
  db.send(sql`
    insert into email_activity (
      api_key, email_id, organization_key, annotation_key, comment_id, notification_key, event_type, kind, is_addressed,
      said)
    select ${tenant.apiKey}, i.email_id, i.organization_key, i.annotation_key, i.comment_id, i.notification_key,
      i.event_type, i.kind, i.is_addressed, i.said
    from unnest(
      ${rows.map(({ id }) => id)}::text[],
      ${rows.map(({ organizationKey }) => organizationKey)}::uuid[],
      ${rows.map(({ annotationKey }) => annotationKey)}::uuid[],
      ${rows.map(({ commentId }) => commentId)}::bigint[],
      ${rows.map(({ notificationId }) => optionalKey(notificationId))}::uuid[],
      ${rows.map(({ eventType }) => eventType)}::text[],
      ${rows.map(({ kind }) => kind)}::text[],
      ${rows.map(({ isAddressed }) => isAddressed)}::boolean[],
      ${rows.map(({ details }) => json(details))}::jsonb[]
    ) with ordinality as i (
      email_id, organization_key, annotation_key, comment_id, notification_key, event_type, kind, is_addressed, said,
      position)
    order by i.position`)
}
