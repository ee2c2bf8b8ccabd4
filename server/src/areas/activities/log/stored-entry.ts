import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import type { Commitments, HashedEntry, Part } from './chain.ts'

/** An entry as it is stored. */
export interface StoredEntry extends HashedEntry {
  hash: string
  actor: Part | null
  content: Part | null
  supersededBy: number | null
  erasedBy: number | null
  activityKey: string | null
  documentKey: string | null
  /** The id of the document after a migration; null: it has the one of the entry. */
  currentDocumentId: string | null
  targetKey: string | null
  userKey: string | null
}

interface Row extends Omit<StoredEntry, 'actor' | 'content' | 'commitments'> {
  actor: unknown
  actorSalt: string | null
  actorCommitment: string | null
  content: unknown
  contentSalt: string | null
  contentCommitment: string | null
}

const MAX_ENTRIES = 500
const MAX_BYTES = 1024 * 1024

/** Reads the next entries that match a condition, by position: at most 500 and about 4 MiB, but at least one. */
export async function readEntries(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  condition: Sql,
): Promise<StoredEntry[]> {
  const rows = await db.query<Row>(sql`
    select position, kind, at, activity_id as id, document_id as "documentId", "timestamp", origin, supersedes,
      superseded_by as "supersededBy", erased_by as "erasedBy", record,
      actor, encode(actor_salt, 'hex') as "actorSalt", encode(actor_commitment, 'hex') as "actorCommitment",
      content, encode(content_salt, 'hex') as "contentSalt", encode(content_commitment, 'hex') as "contentCommitment",
      encode(hash, 'hex') as hash, activity_key as "activityKey", document_key as "documentKey",
      current_document_id as "currentDocumentId",
      target_key as "targetKey", user_key as "userKey"
    from (
      select *, sum(size) over (order by position) - size as before
      from activity_entry
      where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and ${condition}
      order by position
      limit ${MAX_ENTRIES}
    ) next
    where before < ${MAX_BYTES}
    order by position`)
  return rows.map(toEntry)
}

function toEntry(row: Row): StoredEntry {
  const { actor, actorSalt, actorCommitment, content, contentSalt, contentCommitment, ...entry } = row
  return {
    actor: partOf(actor, actorSalt),
    content: partOf(content, contentSalt),
    commitments: { actor: actorCommitment, content: contentCommitment },
    ...entry,
  }
}

const partOf = (value: unknown, salt: string | null): Part | null =>
  value === null && salt === null ? null : { value, salt: salt ?? '' }

/** The fields of an entry that other entries refer to. */
export interface Link {
  position: number
  supersedes: number | null
  supersededBy: number | null
  /** In an erasure: the new commitments of each entry that it erased, keyed by position. */
  erased: Record<string, Commitments> | null
}

/** Reads the entries that these refer to: those they replaced, those that replaced them, and their erasures. */
export async function readLinks(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  entries: StoredEntry[],
): Promise<Map<number, Link>> {
  const referred = entries.flatMap(({ supersedes, supersededBy, erasedBy }) => [supersedes, supersededBy, erasedBy])
  const positions = [...new Set(referred.filter((position) => position !== null))]
  if (positions.length === 0) return new Map()
  const links = await db.query<Link>(sql`
    select position, supersedes, superseded_by as "supersededBy",
      case when kind = 'erase' then record -> 'erased' end as erased
    from activity_entry
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
      and position = any(${positions}::bigint[])`)
  return new Map(links.map((link) => [link.position, link]))
}

/**
 * The commitments that the erasable parts must open now: the entry's own, or those of its latest erasure. Null: the
 * erasure does not mention the entry.
 */
export function effectiveCommitments(entry: StoredEntry, links: Map<number, Link>): Commitments | null {
  if (entry.erasedBy === null) return entry.commitments
  return links.get(entry.erasedBy)?.erased?.[entry.position] ?? null
}
