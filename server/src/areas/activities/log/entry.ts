import { keyOf } from '../../../platform/id.ts'
import { isSystemActor } from '../../users/system-actor.ts'
import { type Commitments, canonical, commit, type EntryKind, hashOf } from './chain.ts'

/** The organization whose log it is. */
export interface Organization {
  key: string
  id: string
}

/** An entry to write. */
export interface EntryDraft {
  kind: EntryKind
  id: string | null
  documentId: string | null
  /** The version that it takes the place of; null: the record is new. */
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

/** Chains an entry to the one before it, whose hash is given; its erasable parts are committed to. */
export function chainEntry(draft: EntryDraft, at: number, position: number, previous: string) {
  const { kind, id, documentId, replaces, record } = draft
  const { timestamp, origin } = replaces ?? (id === null ? NO_RECORD : { timestamp: at, origin: position })
  const supersedes = replaces?.position ?? null
  const actor = draft.actor === null ? null : commit(draft.actor)
  const content = draft.content === null ? null : commit(draft.content)
  const commitments = { actor: actor?.commitment ?? null, content: content?.commitment ?? null }
  const hashed = { position, kind, at, id, documentId, timestamp, origin, supersedes, record, commitments }
  const size = canonical([record, draft.actor, draft.content]).length
  const salts = { actor: actor?.salt ?? null, content: content?.salt ?? null }
  return { ...draft, ...hashed, hash: hashOf(previous, hashed), size, salts }
}

const NO_RECORD = { timestamp: null, origin: null }

/** An entry with everything that is stored of it. */
export type ChainedEntry = ReturnType<typeof chainEntry>

/** The key of an id; null for none, and for what is no id. */
export const keyOrNull = (id: unknown) => (typeof id === 'string' ? keyOf(id) : null)

/** The key of the user that a stored actor names; null for the system, which is none. */
export const actorKey = (actor: unknown): string | null =>
  isSystemActor(actor) ? null : keyOrNull((actor as { userId?: unknown } | null)?.userId)

/** The key of what a record is about. */
export const targetKey = (record: Record<string, unknown>): string | null => keyOrNull(record.targetEntityId)
