import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import canonicalize from 'canonicalize'

/** What an entry records. `erase` is the erasure of personal data, not of a record. */
export type EntryKind = 'add' | 'overwrite' | 'update' | 'delete' | 'erase'

/** The fields that the hash of an entry covers, besides the previous hash. */
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

/** The commitments to the erasable parts of an entry, hexadecimal. Null: the entry has no such part. */
export interface Commitments {
  actor: string | null
  content: string | null
}

/** An erasable value, with the salt of its commitment. */
export interface Part {
  value: unknown
  salt: string
}

/** The RFC 8785 form of a JSON value. */
export const canonical = (value: unknown): string => canonicalize(value) ?? 'null'

/** The previous hash of the first entry. It includes the organization, so that logs cannot be swapped. */
export const genesisOf = (apiKey: string, organizationId: string): string =>
  sha256(canonical(['activity-log', apiKey, organizationId]))

/** SHA-256 over the canonical form of the entry and the hash of the previous entry, hexadecimal. */
export const hashOf = (previous: string, entry: HashedEntry): string => {
  const { position, kind, at, id, documentId, timestamp, origin, supersedes, record, commitments } = entry
  const content = { position, kind, at, id, documentId, timestamp, origin, supersedes, record, commitments }
  return sha256(canonical({ previous, ...content }))
}

/**
 * Commits to a value: HMAC-SHA-256 of its canonical form under a random salt. The commitment alone neither reveals the
 * value nor lets anyone test guesses. No other value has the same commitment. `length` is that of the canonical form.
 */
export function commit(value: unknown): Part & { commitment: string; length: number } {
  const salt = randomBytes(16).toString('hex')
  const text = canonical(value)
  return { value, salt, commitment: commitmentTo(text, salt), length: text.length }
}

/** Whether the part opens the commitment. Null stands for a part that an entry does not have. */
export function opens(part: Part | null, commitment: string | null): boolean {
  if (part === null || typeof commitment !== 'string') return part === null && commitment === null
  const [expected, actual] = [
    Buffer.from(commitment, 'hex'),
    Buffer.from(commitmentTo(canonical(part.value), part.salt), 'hex'),
  ]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** The text that the seal of a log is a keyed hash of. */
export const sealInput = (apiKey: string, organizationKey: string, { count, head }: { count: number; head: string }) =>
  `activity-log:${canonical([apiKey, organizationKey, count, head])}`

const commitmentTo = (text: string, salt: string) =>
  createHmac('sha256', Buffer.from(salt, 'hex')).update(text).digest('hex')

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
