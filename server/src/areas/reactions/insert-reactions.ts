import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, json, sql, type Transaction } from '../../platform/db/db.ts'
import { sendInTurn } from '../../platform/db/list-lock.ts'
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

/** The keys of those of the ids that reactions of the organization have. It is sent after the lock of the thread. */
export async function takenKeys(
  db: Db,
  { apiKey }: ApiKeyTenant,
  organizationKey: string,
  ids: string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const taken = await db.query<{ key: string }>(sql`
    select key
    from reaction
    where api_key = ${apiKey} and organization_key = ${organizationKey} and key = any(${ids.map(keyOf)}::uuid[])`)
  return new Set(taken.map(({ key }) => key))
}

/**
 * Sends a statement that inserts distinct reactions to one comment or thread. If an id that was free has been taken by
 * a reaction to another thread since, the transaction runs again.
 */
export function insertReactions(
  db: Transaction,
  tenant: ApiKeyTenant,
  { organizationKey, documentKey, annotationKey, commentId, location }: Target,
  reactions: (ReactionRecord & { id: string })[],
): void {
  if (reactions.length === 0) return
  const records = reactions.map(({ icon, from, context }) => ({
    icon,
    from,
    ...(location && { location }),
    ...(context && { context }),
  }))
  // Positions follow the order of the request; rows are locked in the order of keys.
  const statement = sql`
    with inserted as (
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
      returning 1
    )
    select expect_rows(${reactions.length}::bigint, count(*)) from inserted`
  sendInTurn(db, [`reaction ${tenant.apiKey} ${organizationKey}`], statement)
}
