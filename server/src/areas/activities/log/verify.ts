import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { isObject } from '../../../platform/json-value.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { genesisOf, hashOf, opens, sealInput } from './chain.ts'
import { actorKey, keyOrNull, type Organization, targetKey } from './entry.ts'
import type { LogContext } from './log.ts'
import { effectiveCommitments, type Link, readEntries, readLinks, type StoredEntry } from './stored-entry.ts'

/** The reasons why a log is not what was written. */
export const REASONS = [
  'missing_entry',
  'unexpected_entry',
  'changed_entry',
  'changed_personal_data',
  'restored_personal_data',
  'wrong_version_shown',
  'broken_seal',
  'anchor_mismatch',
] as const

/** The first place at which the log does not fit its chain, and why. */
export interface Break {
  /** The record concerned, if there is one. */
  id: string | null
  position: number
  reason: (typeof REASONS)[number]
}

/** The end of a log, as somebody saw it earlier. */
export interface Anchor {
  count: number
  head: string
}

/** What a verification found; `firstBreak` is null if all entries fit. */
export interface Verification extends Anchor {
  firstBreak: Break | null
}

/**
 * Verifies the log of an organization from its first entry to its sealed head, in batches, and reports the first break.
 * It includes entries written in the meantime. An anchor that the log does not pass through is a break.
 */
export async function verifyLog(
  { db, tenant, secrets }: LogContext,
  organization: Organization,
  anchor: Anchor | undefined,
): Promise<Verification> {
  const genesis = genesisOf(tenant.apiKey, organization.id)
  let walk = { count: 0, head: genesis }
  for (;;) {
    const entries = await readEntries(db, tenant, organization.key, sql`position > ${walk.count}`)
    const links = await readLinks(db, tenant, organization.key, entries)
    for (const entry of entries) {
      const firstBreak =
        checkPassing(anchor, walk) ??
        checkEntry(entry, links, walk) ??
        (await checkErasure(db, tenant, organization, entry))
      if (firstBreak) return { ...(await endOf(db, tenant, organization, genesis)), firstBreak }
      walk = { count: entry.position, head: entry.hash }
    }
    const end = await endOf(db, tenant, organization, genesis)
    if (end.last > walk.count) continue
    const firstBreak =
      checkPassing(anchor, walk) ??
      checkEnd(end, walk, sealFits(secrets, tenant, organization, end)) ??
      checkReached(anchor, walk)
    return { count: end.count, head: end.head, firstBreak }
  }
}

/** Whoever saw the log end here must have seen this head. */
const checkPassing = (anchor: Anchor | undefined, walk: Anchor): Break | null =>
  anchor?.count === walk.count && anchor.head !== walk.head
    ? { id: null, position: walk.count, reason: 'anchor_mismatch' }
    : null

/** Nobody can have seen more entries than there are. */
const checkReached = (anchor: Anchor | undefined, walk: Anchor): Break | null =>
  anchor !== undefined && anchor.count > walk.count
    ? { id: null, position: walk.count + 1, reason: 'anchor_mismatch' }
    : null

/** The entry must be the next, unchanged, and shown or hidden as its versions say. */
function checkEntry(entry: StoredEntry, links: Map<number, Link>, walk: Anchor): Break | null {
  const { position, id, supersedes, supersededBy } = entry
  if (position !== walk.count + 1) return { id: null, position: walk.count + 1, reason: 'missing_entry' }
  if (hashOf(walk.head, entry) !== entry.hash || !isObject(entry.record) || !isIndexed(entry)) {
    return { id, position, reason: 'changed_entry' }
  }
  const { actor, content } = effectiveCommitments(entry, links) ?? UNOPENABLE
  if (!opens(entry.actor, actor) || !opens(entry.content, content)) {
    return { id, position, reason: 'changed_personal_data' }
  }
  // The two versions must refer to each other. Otherwise a replaced version is shown, or a current one is hidden.
  if (supersedes !== null && links.get(supersedes)?.supersededBy !== position) {
    return { id, position: supersedes, reason: 'wrong_version_shown' }
  }
  const isHidden = supersededBy !== null && links.get(supersededBy)?.supersedes !== position
  return isHidden ? { id, position, reason: 'wrong_version_shown' } : null
}

// No part opens these, not even a missing one.
const UNOPENABLE = { actor: '', content: '' }

/** Whether the columns that reads search by match the entry. */
function isIndexed({ id, documentId, currentDocumentId, record, actor, ...entry }: StoredEntry): boolean {
  return (
    entry.activityKey === keyOrNull(id) &&
    entry.documentKey === keyOrNull(currentDocumentId ?? documentId) &&
    entry.targetKey === targetKey(record) &&
    entry.userKey === actorKey(actor?.value ?? null)
  )
}

/** Erased data must not have come back. */
async function checkErasure(db: Db, tenant: ApiKeyTenant, { key }: Organization, entry: StoredEntry) {
  if (entry.kind !== 'erase') return null
  const { erased } = entry.record
  const positions = isObject(erased) ? Object.keys(erased).filter((position) => /^\d{1,15}$/.test(position)) : []
  const [restored] = await db.query<{ id: string | null; position: number }>(sql`
    select activity_id as id, position
    from activity_entry
    where api_key = ${tenant.apiKey} and organization_key = ${key} and position = any(${positions}::bigint[])
      and coalesce(erased_by, 0) < ${entry.position}
    order by position
    limit 1`)
  return restored ? { ...restored, reason: 'restored_personal_data' as const } : null
}

interface End extends Anchor {
  seal: string | null
  /** The position of the last stored entry. */
  last: number
}

/** The sealed head and the last entry. One statement reads both, because they are written together. */
async function endOf(db: Db, tenant: ApiKeyTenant, { key }: Organization, genesis: string): Promise<End> {
  const [end] = await db.query<{
    count: number | null
    head: string | null
    seal: string | null
    last: number | null
  }>(sql`
    select l.count, encode(l.head, 'hex') as head, l.seal, e.last
    from (
      select max(position) as last from activity_entry where api_key = ${tenant.apiKey} and organization_key = ${key}
    ) e
    left join activity_log l on l.api_key = ${tenant.apiKey} and l.organization_key = ${key}`)
  return { count: end?.count ?? 0, head: end?.head ?? genesis, seal: end?.seal ?? null, last: end?.last ?? 0 }
}

// A log that was never written has neither a head nor entries.
const sealFits = (secrets: Secrets, { apiKey }: ApiKeyTenant, { key }: Organization, end: End) =>
  end.seal === null ? end.last === 0 : secrets.verify(sealInput(apiKey, key, end), end.seal)

function checkEnd(end: End, walk: Anchor, sealFits: boolean): Break | null {
  if (sealFits && end.count > walk.count) return { id: null, position: walk.count + 1, reason: 'missing_entry' }
  if (sealFits && end.count < walk.count) return { id: null, position: end.count + 1, reason: 'unexpected_entry' }
  return sealFits && end.head === walk.head ? null : { id: null, position: walk.count, reason: 'broken_seal' }
}
