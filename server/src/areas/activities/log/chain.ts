import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import canonicalize from 'canonicalize'

/** What an entry records. `erase` is the erasure of personal data, not of a record. */
export type EntryKind = 'add' | 'overwrite' | 'update' | 'delete' | 'erase'

/** What the hash of an entry covers besides the hash of the one before it. */
export interface HashedEntry {
  position: number
  kind: EntryKind
  at: number
  id: string | null
  documentId: string | null
  timestamp: number | null
  origin: number | null
  supersedes: number | null
  record: Record<string, unknown>
  commitments: Commitments
}

/** Of the parts of an entry that can be erased, hexadecimal; null where the entry has no such part. */
export interface Commitments {
  actor: string | null
  content: string | null
}

/** An erasable value with the salt that its commitment was made with. */
export interface Part {
  value: unknown
  salt: string
}

/** The RFC 8785 form of a JSON value. */
export const canonical = (value: unknown): string => canonicalize(value) ?? 'null'

/** What the first entry of a log continues: bound to the organization, so that logs cannot be exchanged. */
export const genesisOf = (apiKey: string, organizationId: string): string =>
  sha256(canonical(['activity-log', apiKey, organizationId]))

/** SHA-256 over the canonical form of the entry and the hash of the one before it, hexadecimal. */
export const hashOf = (previous: string, entry: HashedEntry): string => {
  const { position, kind, at, id, documentId, timestamp, origin, supersedes, record, commitments } = entry
  const content = { position, kind, at, id, documentId, timestamp, origin, supersedes, record, commitments }
  return sha256(canonical({ previous, ...content }))
}

/**
 * Commits to a value: HMAC-SHA-256 of its canonical form under a random salt. Whoever has only the commitment can
 * neither read the value nor try guesses; nobody can find another value for it.
 */
export function commit(value: unknown): Part & { commitment: string } {
  const salt = randomBytes(16).toString('hex')
  return { value, salt, commitment: commitmentOf({ value, salt }) }
}

/** Whether the part is what was committed to; null stands for a part that an entry does not have. */
export function opens(part: Part | null, commitment: string | null): boolean {
  if (part === null || typeof commitment !== 'string') return part === null && commitment === null
  const [expected, actual] = [Buffer.from(commitment, 'hex'), Buffer.from(commitmentOf(part), 'hex')]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** What the seal of a log is a keyed hash of. */
export const sealInput = (apiKey: string, organizationKey: string, { count, head }: { count: number; head: string }) =>
  `activity-log:${canonical([apiKey, organizationKey, count, head])}`

const commitmentOf = ({ value, salt }: Part) =>
  createHmac('sha256', Buffer.from(salt, 'hex')).update(canonical(value)).digest('hex')

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
