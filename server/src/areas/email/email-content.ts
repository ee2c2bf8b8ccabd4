import type { ApiKeyScope } from '../../platform/context.ts'
import { type Db, sql, together } from '../../platform/db/db.ts'
import { MAX_PEOPLE } from '../comments/change/abridged-thread.ts'
import { readSomeParticipants } from '../comments/thread/read-participants.ts'
import { loadThreads, type ShownComments } from '../comments/thread/read-threads.ts'
import { type ThreadRow, threadColumns, toAnnotation } from '../comments/thread/thread.ts'
import { asStored } from '../users/user.ts'
import type { Claimed } from './claim.ts'
import type { ActivityDetails, EmailActivity } from './email-activity.ts'
import type { EmailContent, EmailItem } from './email-item.ts'
import { recheckRecipients } from './recheck-recipients.ts'
import { sampleContent } from './sample.ts'

/**
 * Reads the content of a claimed email: what its user may still see, still wants and has not read. Undefined: nothing
 * is left.
 */
export async function readEmailContent(db: Db, tenant: ApiKeyScope, email: Claimed): Promise<EmailContent | undefined> {
  const { apiKey, id, organizationKey, userKey } = email
  const [[user = email.person], activities] = await Promise.all([
    asStored(db, tenant, [email.person]),
    readActivities(db, tenant, email),
  ])
  if (email.activities === 0 && user.email !== undefined) {
    return sampleContent({ ...email, to: { userId: user.userId, name: user.name, address: user.email } })
  }
  if (user.email === undefined || activities.length === 0) return undefined
  const threads = await readThreads(db, tenant, organizationKey, activities)
  const candidates = activities.flatMap((activity) => {
    const thread = threads.get(activity.annotationKey)
    return thread ? [{ ...activity, ...thread }] : []
  })
  const welcome = await recheckRecipients(db, tenant, { organizationKey, userKey, userId: user.userId }, candidates)
  const [first, ...rest] = welcome.map(
    ({ eventType, kind, details, annotation, document, commentId }): EmailItem => ({
      eventType,
      kind,
      details,
      annotation,
      comment: annotation.comments.find((each) => each.commentId === commentId) ?? null,
      document,
    }),
  )
  if (!first) return undefined
  const to = { userId: user.userId, name: user.name, address: user.email }
  return { apiKey, id, organizationKey, userKey, to, activities: [first, ...rest] }
}

interface ActivityRow
  extends Pick<EmailActivity, 'annotationKey' | 'commentId' | 'eventType' | 'kind' | 'isAddressed'> {
  details: ActivityDetails
  /** Whether its notification in the inbox was read or deleted. */
  isRead: boolean
}

function readActivities(db: Db, tenant: ApiKeyScope, { id, userKey }: Claimed): Promise<ActivityRow[]> {
  return db.query<ActivityRow>(sql`
    select a.annotation_key as "annotationKey", a.comment_id as "commentId", a.event_type as "eventType", a.kind,
      a.is_addressed as "isAddressed", a.said as details,
      a.notification_key is not null and (r.notification_key is null or r.read_at is not null or r.is_deleted) as "isRead"
    from email_activity a
    left join notification_recipient r
      on r.api_key = ${tenant.apiKey} and r.organization_key = a.organization_key
        and r.notification_key = a.notification_key and r.user_key = ${userKey}
    where a.api_key = ${tenant.apiKey} and a.email_id = ${id}
    order by a.seq`)
}

interface PlacedThread extends ThreadRow {
  organizationId: string
  documentKey: string
  documentId: string
  documentName: string | null
  documentMetadata: Record<string, unknown>
}

/** The threads of activities by key, with those of their comments that an email shows. */
async function readThreads(db: Db, tenant: ApiKeyScope, organizationKey: string, activities: ActivityRow[]) {
  const keys = [...new Set(activities.map(({ annotationKey }) => annotationKey))]
  const read = db.query<PlacedThread>(sql`
    select ${threadColumns}, o.id as "organizationId", d.key as "documentKey", d.id as "documentId",
      d.name as "documentName", d.metadata as "documentMetadata"
    from comment_annotation a
    join organization o on o.api_key = ${tenant.apiKey} and o.key = a.organization_key and o.retired_at is null
    join document d
      on d.api_key = ${tenant.apiKey} and d.organization_key = a.organization_key and d.key = a.document_key
    where a.api_key = ${tenant.apiKey} and a.organization_key = ${organizationKey} and a.key = any(${keys}::uuid[])`)
  const [rows, shown] = await together([read, findShownComments(db, tenant, organizationKey, activities)])
  const threads = await loadThreads(db, tenant, organizationKey, rows, shown, readSomeParticipants(MAX_PEOPLE))
  return new Map(
    threads.flatMap((thread, index) => {
      const row = rows[index]
      if (!row) return []
      const { organizationId, documentKey, documentId: id, documentName, documentMetadata: metadata } = row
      const annotation = toAnnotation(thread, { apiKey: tenant.apiKey, organizationId, documentId: id })
      const document = { id, name: documentName ?? id, metadata }
      return [[thread.key, { annotation, documentKey, document }] as const]
    }),
  )
}

/**
 * Finds which comments of threads an email shows: the first, the last, those that activities name, and before each of
 * these the one before. A thread may have very many, and each of its subscribers gets an email.
 */
async function findShownComments(
  db: Db,
  tenant: ApiKeyScope,
  organizationKey: string,
  activities: ActivityRow[],
): Promise<Map<string, ShownComments>> {
  const keys = [...new Set(activities.map(({ annotationKey }) => annotationKey))]
  const told = activities.filter(({ commentId }) => commentId !== null)
  const rows = await db.query<Omit<ShownComments, 'fromSeq'> & { key: string }>(sql`
    select annotation_key as key, count(*) as "commentsCount", max(created_at) as "newestAt", min(seq) as "firstSeq",
      array_remove(array_agg(seq) filter (where is_shown) || array_agg(previous) filter (where is_shown), null) as seqs
    from (
      select c.annotation_key, c.seq, c.created_at, lag(c.seq) over of_thread as previous,
        told.id is not null or lead(c.seq) over of_thread is null as is_shown
      from comment c
      left join (
        select distinct *
        from unnest(
          ${told.map(({ annotationKey }) => annotationKey)}::uuid[],
          ${told.map(({ commentId }) => commentId)}::bigint[]
        ) as t (annotation_key, id)
      ) told using (annotation_key, id)
      where c.api_key = ${tenant.apiKey} and c.organization_key = ${organizationKey}
        and c.annotation_key = any(${keys}::uuid[])
      window of_thread as (partition by c.annotation_key order by c.seq)
    ) c
    group by annotation_key`)
  return new Map(rows.map(({ key, ...shown }) => [key, { ...shown, fromSeq: null }]))
}
