import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import type { IndexedText } from '../reading/indexed-text.ts'
import { addEntries } from './entries.ts'

/** Positions are 4-byte integers. From here on they start anew; a text has far fewer entries than lie between. */
const LAST_START = 1_000_000_000

/** Entries of a new text that nobody reads yet. */
export interface Staged {
  first: number
  /** The version of the source that the text is to follow. */
  after: number
}

/**
 * Stores the entries of a new text beside those of its source, in short statements of their own, so that nobody waits
 * for all of them. They count once `first_position` names them. Returns undefined if the source takes no new text, or
 * has this one. What is not used goes with the next update, or with the source.
 */
export async function stageEntries(
  db: Db,
  tenant: ApiKeyTenant,
  sourceId: string,
  { markdown, entries }: IndexedText,
): Promise<Staged | undefined> {
  const { apiKey } = tenant
  const key = keyOf(sourceId)
  const [staged] = await db.query<Staged>(sql`
    update knowledge_source
    set next_position = case when next_position > ${LAST_START}::int then 0 else next_position end + ${entries.length}::int
    where api_key = ${apiKey} and key = ${key}::uuid and status = 'completed' and dedup_of is null and rule_count > 0
      and markdown is distinct from ${markdown}
    returning next_position - ${entries.length}::int as first, version as after`)
  if (!staged) return undefined
  const isAwaited = sql`
    exists (
      select from knowledge_source h
      where h.api_key = ${apiKey} and h.key = ${key}::uuid and h.version = ${staged.after}::int
      for key share
    )`
  await addEntries(db, tenant, { key, sourceId, first: staged.first }, entries, isAwaited)
  return staged
}
