import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, json, sql, type Transaction } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { locationKey } from '../../locations/location.ts'
import { updateCommentRows } from './comment.ts'
import { dropParticipants, saveParticipants } from './participant.ts'
import type { Thread } from './thread.ts'

/** Inserts threads without their comments and participants. Returns those whose ids were free, with their numbers. */
export async function insertThreads<New extends Omit<Thread, 'number'>>(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, documentKey }: { organizationKey: string; documentKey: string },
  threads: New[],
): Promise<(New & { number: number })[]> {
  if (threads.length === 0) return []
  const inserted = await db.query<{ id: string; number: number }>(sql`
    with taken as (
      insert into comment_annotation_count as c (api_key, organization_key, document_key, count)
      values (${tenant.apiKey}, ${organizationKey}, ${documentKey}, ${threads.length}::bigint)
      on conflict (api_key, organization_key, document_key) do update set count = c.count + excluded.count
      returning count
    )
    insert into comment_annotation (
      api_key, organization_key, document_key, number, key, id, location_key, from_key, status_id, resolved_by_key,
      agent_key, execution_key, record, created_at, updated_at)
    select ${tenant.apiKey}, ${organizationKey}, ${documentKey}, taken.count - ${threads.length}::bigint + i.position,
      i.key, i.id, i.location_key, i.from_key, i.status_id, i.resolved_by_key, i.agent_key, i.execution_key, i.record,
      i.created_at, i.updated_at
    from taken, unnest(
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
    ) with ordinality as i (key, id, location_key, from_key, status_id, resolved_by_key, agent_key, execution_key, record,
      created_at, updated_at, position)
    order by i.key
    on conflict (api_key, organization_key, key) do nothing
    returning id, number`)
  const numbers = new Map(inserted.map(({ id, number }) => [id, number]))
  return threads.flatMap((thread) => {
    const number = numbers.get(thread.id)
    return number === undefined ? [] : [{ number, ...thread }]
  })
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

/** Saves what a replacement of users changes besides the threads: comments, and who takes part. */
export async function saveReplaced(
  db: Transaction,
  tenant: ApiKeyTenant,
  organizationKey: string,
  { threads, updateUsers = [] }: { threads: Thread[]; updateUsers?: { oldUser: { userId: string } }[] },
): Promise<void> {
  const rows = threads.flatMap(({ key, comments }) => comments.map((comment) => ({ annotationKey: key, comment })))
  updateCommentRows(db, tenant, organizationKey, rows)
  const userIds = updateUsers.map(({ oldUser }) => oldUser.userId)
  await dropParticipants(db, tenant, { organizationKey, threads, userIds })
}

const optionalKey = (id: string | undefined) => (id === undefined ? null : keyOf(id))
