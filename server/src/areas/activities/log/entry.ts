import { withFields } from '../../../platform/bulk.ts'
import { keyOf } from '../../../platform/id.ts'
import { isSystemActor } from '../../users/system-actor.ts'
import { type Commitments, canonical, commit, type EntryKind, hashOf } from './chain.ts'

/** The organization that owns a log. */
export interface Organization {
  key: string
  id: string
}

/** An entry to write. */
export interface EntryDraft {
  kind: EntryKind
  id: string | null
  documentId: string | null
  /** The version that it replaces; null: the record is new. */
  replaces: { position: number; timestamp: number; origin: number } | null
  record: Record<string, unknown>
  actor: unknown
  content: unknown
}

/** An entry as written. */
export interface WrittenEntry extends EntryDraft {
  position: number
  timestamp: number | null
  origin: number | null
  commitments: Commitments
}

/** Chains an entry to the previous one by its hash, and commits to the erasable parts. */
export function chainEntry(draft: EntryDraft, at: number, position: number, previous: string) {
  const { kind, id, documentId, replaces, record } = draft
  const { timestamp, origin } = replaces ?? (id === null ? NO_RECORD : { timestamp: at, origin: position })
  const supersedes = replaces?.position ?? null
  const actor = draft.actor === null ? null : commit(draft.actor)
  const content = draft.content === null ? null : commit(draft.content)
  const commitments = { actor: actor?.commitment ?? null, content: content?.commitment ?? null }
  const hashed = { position, kind, at, id, documentId, timestamp, origin, supersedes, record, commitments }
  const size =
    canonical(record).length + (actor?.length ?? NULL_LENGTH) + (content?.length ?? NULL_LENGTH) + LIST_LENGTH
  const salts = { actor: actor?.salt ?? null, content: content?.salt ?? null }
  return withFields(draft, { hash: hashOf(previous, hashed), size, salts, ...hashed })
}

// The size of an entry is the length of its record, actor and content as one canonical list.
const NULL_LENGTH = 'null'.length
const LIST_LENGTH = '[,,]'.length

const NO_RECORD = { timestamp: null, origin: null }

/** An entry with all that is stored of it. */
export type ChainedEntry = ReturnType<typeof chainEntry>

/** The key of an id; null if the value is not an id. */
export const keyOrNull = (id: unknown) => (typeof id === 'string' ? keyOf(id) : null)

/** The key of the user that a stored actor names; null for the system actor, which is no user. */
export const actorKey = (actor: unknown): string | null =>
  isSystemActor(actor) ? null : keyOrNull((actor as { userId?: unknown } | null)?.userId)

/** The key of the entity that a record is about. */
export const targetKey = (record: Record<string, unknown>): string | null => keyOrNull(record.targetEntityId)
