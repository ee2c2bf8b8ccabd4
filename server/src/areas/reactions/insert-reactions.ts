import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, json, sql } from '../../platform/db/db.ts'
import { inTurn } from '../../platform/db/list-lock.ts'
import { keyOf } from '../../platform/id.ts'
import { type Location, locationKey } from '../locations/location.ts'
import type { ReactionRecord } from './reaction.ts'

interface Target {
  organizationKey: string
  documentKey: string
  annotationKey: string
  /** Null: the thread as a whole. */
  commentId: number | null
  location: Location | undefined
}

/** Inserts distinct reactions to one comment or thread. Returns the ids that were free. */
export async function insertReactions(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, documentKey, annotationKey, commentId, location }: Target,
  reactions: (ReactionRecord & { id: string })[],
): Promise<Set<string>> {
  const records = reactions.map(({ icon, from, context }) => ({
    icon,
    from,
    ...(location && { location }),
    ...(context && { context }),
  }))
  // Positions follow the order of the request; rows are locked in the order of keys.
  const inserted = await inTurn(db, `reaction ${tenant.apiKey} ${organizationKey}`).query<{ id: string }>(sql`
    insert into reaction (
      api_key, organization_key, document_key, annotation_key, comment_id, location_key, created_at, key, id, from_key,
      record, seq)
    overriding system value
    select ${tenant.apiKey}, ${organizationKey}, ${documentKey}, ${annotationKey}, ${commentId}::bigint,
      ${locationKey(location)}::uuid, now_ms(), r.*
    from (
      select key, id, from_key, record, nextval('reaction_seq_seq')
      from unnest(
        ${reactions.map(({ id }) => keyOf(id))}::uuid[],
        ${reactions.map(({ id }) => id)}::text[],
        ${reactions.map(({ from }) => keyOf(from.userId))}::uuid[],
        ${records.map(json)}::jsonb[]
      ) with ordinality as u (key, id, from_key, record, position)
      order by position
    ) r
    order by r.key
    on conflict (api_key, organization_key, key) do nothing
    returning id`)
  return new Set(inserted.map(({ id }) => id))
}
