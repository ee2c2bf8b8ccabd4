import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, json, sql, type Transaction, together } from '../../../platform/db/db.ts'
import { keyOf, optionalKey } from '../../../platform/id.ts'
import { locationKey } from '../../locations/location.ts'
import { updateCommentRows } from '../comment/comment.ts'
import type { People } from '../comment/person.ts'
import { replacementsOf, type UserUpdate } from './replace-users.ts'
import { dropParticipants, saveParticipants } from './save-participants.ts'
import type { Thread } from './thread.ts'

/** What was reserved for new threads. */
interface Reserved {
  /** The number of the first. The others follow. */
  firstNumber: number
  /** The keys that other threads have already. */
  takenKeys: ReadonlySet<string>
}

/**
 * Takes a number for each of the threads, and looks up which of their ids are taken; undefined if there is no document.
 * It is sent after the lock of the document. Until the commit, others that add threads to the document wait.
 */
export async function reserveThreads(
  db: Db,
  { apiKey }: ApiKeyTenant,
  { organizationKey, documentKey }: { organizationKey: string; documentKey: string },
  sent: { annotationId?: string }[],
): Promise<Reserved | undefined> {
  const count = sent.length
  const keys = sent.flatMap(({ annotationId }) => (annotationId === undefined ? [] : keyOf(annotationId)))
  const [[counted], taken] = await together([
    db.query<{ count: number }>(sql`
      insert into comment_annotation_count as c (api_key, organization_key, document_key, count)
      select d.api_key, d.organization_key, d.key, ${count}::bigint
      from document d
      where d.api_key = ${apiKey} and d.organization_key = ${organizationKey} and d.key = ${documentKey}
      on conflict (api_key, organization_key, document_key) do update set count = c.count + excluded.count
      returning count`),
    // A statement of its own, so that it sees what those have added that the first one waited for.
    keys.length === 0
      ? NONE
      : db.query<{ key: string }>(sql`
          select key
          from comment_annotation
          where api_key = ${apiKey} and organization_key = ${organizationKey} and key = any(${keys}::uuid[])`),
  ])
  return counted && { firstNumber: counted.count - count + 1, takenKeys: new Set(taken.map(({ key }) => key)) }
}

const NONE: Promise<{ key: string }[]> = Promise.resolve([])

/** Sends a statement that gives back the last of the numbers that the transaction has reserved. */
export function giveBackNumbers(
  db: Transaction,
  { apiKey }: ApiKeyTenant,
  { organizationKey, documentKey }: { organizationKey: string; documentKey: string },
  unused: number,
): void {
  if (unused === 0) return
  db.send(sql`
    update comment_annotation_count
    set count = count - ${unused}::bigint
    where api_key = ${apiKey} and organization_key = ${organizationKey} and document_key = ${documentKey}`)
}

/**
 * Sends a statement that inserts threads without their comments and participants. If a key that was free has been taken
 * by a thread of another document since, the transaction runs again.
 */
export function insertThreads(
  db: Transaction,
  tenant: ApiKeyTenant,
  { organizationKey, documentKey }: { organizationKey: string; documentKey: string },
  threads: Thread[],
): void {
  if (threads.length === 0) return
  db.send(sql`
    with inserted as (
      insert into comment_annotation (
        api_key, organization_key, document_key, number, key, id, location_key, from_key, status_id, resolved_by_key,
        agent_key, execution_key, record, created_at, updated_at)
      select ${tenant.apiKey}, ${organizationKey}, ${documentKey}, i.number, i.key, i.id, i.location_key, i.from_key,
        i.status_id, i.resolved_by_key, i.agent_key, i.execution_key, i.record, i.created_at, i.updated_at
      from unnest(
        ${threads.map(({ number }) => number)}::bigint[],
        ${threads.map(({ key }) => key)}::uuid[],
        ${threads.map(({ id }) => id)}::text[],
        ${threads.map(({ record }) => locationKey(record.location))}::uuid[],
        ${threads.map(({ record }) => keyOf(record.from.userId))}::uuid[],
        ${threads.map(({ record }) => record.status.id)}::text[],
        ${threads.map(({ record }) => optionalKey(record.resolvedByUserId))}::uuid[],
        ${threads.map(({ record }) => optionalKey(record.agent?.agentId))}::uuid[],
        ${threads.map(({ record }) => optionalKey(record.agent?.executionId))}::uuid[],
        ${threads.map(({ record }) => json(record))}::jsonb[],
        ${threads.map(({ createdAt }) => createdAt)}::bigint[],
        ${threads.map(({ updatedAt }) => updatedAt)}::bigint[]
      ) as i (number, key, id, location_key, from_key, status_id, resolved_by_key, agent_key, execution_key, record,
        created_at, updated_at)
      order by i.key
      on conflict (api_key, organization_key, key) do nothing
      returning 1
    )
    select expect_rows(${threads.length}::bigint, count(*)) from inserted`)
}

/** Sends statements that update threads that the transaction has locked, and their participants, not their comments. */
export function saveThreads(db: Transaction, tenant: ApiKeyTenant, organizationKey: string, threads: Thread[]): void {
  if (threads.length === 0) return
  db.send(sql`
    update comment_annotation a
    set location_key = i.location_key, from_key = i.from_key, status_id = i.status_id,
      resolved_by_key = i.resolved_by_key, record = i.record, updated_at = i.updated_at
    from unnest(
      ${threads.map(({ key }) => key)}::uuid[],
      ${threads.map(({ record }) => locationKey(record.location))}::uuid[],
      ${threads.map(({ record }) => keyOf(record.from.userId))}::uuid[],
      ${threads.map(({ record }) => record.status.id)}::text[],
      ${threads.map(({ record }) => optionalKey(record.resolvedByUserId))}::uuid[],
      ${threads.map(({ record }) => json(record))}::jsonb[],
      ${threads.map(({ updatedAt }) => updatedAt)}::bigint[]
    ) as i (key, location_key, from_key, status_id, resolved_by_key, record, updated_at)
    where a.api_key = ${tenant.apiKey} and a.organization_key = ${organizationKey} and a.key = i.key`)
  saveParticipants(db, tenant, organizationKey, threads)
}

/** Saves what a replacement of users changes besides the threads: comments, reactions, and who takes part. */
export function saveReplaced(
  db: Transaction,
  tenant: ApiKeyTenant,
  organizationKey: string,
  { threads, updateUsers = [], people }: { threads: Thread[]; updateUsers?: UserUpdate[]; people: People },
): void {
  const rows = threads.flatMap(({ key, comments }) => comments.map((comment) => ({ annotationKey: key, comment })))
  updateCommentRows(db, tenant, organizationKey, rows)
  const replacements = [...replacementsOf(updateUsers, people)]
  db.send(sql`
    update reaction r
    set from_key = n.key, record = jsonb_set(r.record, '{from}', n.person)
    from unnest(
      ${replacements.map(([userId]) => keyOf(userId))}::uuid[],
      ${replacements.map(([, user]) => keyOf(user.userId))}::uuid[],
      ${replacements.map(([, user]) => json(user))}::jsonb[]
    ) as n (old_key, key, person)
    where r.api_key = ${tenant.apiKey} and r.organization_key = ${organizationKey}
      and r.annotation_key = any(${threads.map(({ key }) => key)}::uuid[]) and r.from_key = n.old_key`)
  dropParticipants(db, tenant, organizationKey, threads)
}
