import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, json, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { locationKey } from '../locations/location.ts'
import { saveParticipants } from './participant.ts'
import type { Thread } from './thread.ts'

/** Adds threads (without what belongs to them) and answers the ids of those that were free. */
export async function insertThreads(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, documentKey }: { organizationKey: string; documentKey: string },
  threads: Thread[],
): Promise<Set<string>> {
  if (threads.length === 0) return new Set()
  const inserted = await db.query<{ id: string }>(sql`
    insert into comment_annotation (
      api_key, organization_key, document_key, key, id, location_key, from_key, status_id, resolved_by_key, agent_key,
      execution_key, record, created_at, updated_at)
    select ${tenant.apiKey}, ${organizationKey}, ${documentKey}, i.*
    from unnest(
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
    ) as i (key, id, location_key, from_key, status_id, resolved_by_key, agent_key, execution_key, record, created_at,
      updated_at)
    order by i.key
    on conflict (api_key, organization_key, key) do nothing
    returning id`)
  return new Set(inserted.map(({ id }) => id))
}

/** Writes back threads that the transaction has locked, with whom they concern; comments are written by themselves. */
export async function updateThreads(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  threads: Thread[],
): Promise<void> {
  if (threads.length === 0) return
  await db.query(sql`
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
  await saveParticipants(db, tenant, organizationKey, threads)
}

const optionalKey = (id: string | undefined) => (id === undefined ? null : keyOf(id))
