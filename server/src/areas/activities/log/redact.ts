import { keyOf } from '../../../platform/id.ts'
import { isObject } from '../../../platform/json-value.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { isSystemActor } from '../../users/system-actor.ts'
import { nameReplacer } from './name-replacer.ts'

const USER_ID_FIELD = /(userids?|accessdeniedusers)$/i

/** Collects the user ids in a value: strings, alone or in lists, under keys such as `userId` and `resolvedByUserId`. */
export function userIdsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) userIdsIn(item, found)
  else if (isObject(value) && !isSystemActor(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (USER_ID_FIELD.test(key)) for (const id of stringsOf(item)) found.add(id)
      userIdsIn(item, found)
    }
  }
  return found
}

/** A string, or the strings of a list. */
const stringsOf = (value: unknown) => [value].flat().filter((each) => typeof each === 'string')

/** Returns the pseudonym of a user to erase, or undefined for a user who stays. */
export type Pseudonym = (userId: string) => string | undefined

/**
 * The id that stands for an erased user, by the key of the user's own. It is the same everywhere in an API key, and
 * without the master key nobody can trace it back.
 */
export const erasedId = (secrets: Secrets, apiKey: string, userKey: string): string =>
  `erased_${keyOf(secrets.hash(`erased:${apiKey}:${userKey}`)).replaceAll('-', '')}`

/** The display name of an erased user. */
export const ERASED_NAME = 'Deleted user'

// What people write and show. It is removed with its author. The record of what was done, to what and when stays.
const AUTHORED_FIELDS = new Set([
  'commentText',
  'commentHtml',
  'commentVoiceUrl',
  'attachments',
  'recorders',
  'transcription',
  'taggedUserContacts',
  'reasoning',
  'summary',
  'oldValue',
  'newValue',
  'rejectReason',
])

const isAuthored = (key: string, { type }: { type?: unknown }) =>
  AUTHORED_FIELDS.has(key) || (key === 'displayName' && type === 'recorder')

/**
 * Removes erased users from a value: pseudonyms replace them, and what they wrote is left out. `isAuthorErased`: one of
 * them wrote what names no other author.
 */
export function redact(value: unknown, pseudonym: Pseudonym, isAuthorErased = false): unknown {
  const withoutNames = nameReplacer(namesOf(value, pseudonym), ERASED_NAME)
  return redactValue(value, { pseudonym, withoutNames }, isAuthorErased)
}

interface Erasure {
  pseudonym: Pseudonym
  /** Takes the names and addresses of erased users, and the words that mention them, out of a text. */
  withoutNames: (text: string) => string
}

function redactValue(value: unknown, erasure: Erasure, isAuthorErased: boolean): unknown {
  if (typeof value === 'string') return erasure.withoutNames(value)
  if (Array.isArray(value)) return value.map((item) => redactValue(item, erasure, isAuthorErased))
  if (!isObject(value)) return value
  const self = pseudonymOf(value, erasure.pseudonym)
  if (self !== undefined) return { userId: self, name: ERASED_NAME }
  const author = isObject(value.from) && typeof value.from.userId === 'string' ? value.from : undefined
  const erased = author ? pseudonymOf(author, erasure.pseudonym) !== undefined : isAuthorErased
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !(erased && isAuthored(key, value)))
      .map(([key, item]) => [
        key,
        USER_ID_FIELD.test(key) ? redactIds(item, erasure) : redactValue(item, erasure, erased),
      ]),
  )
}

function redactIds(value: unknown, erasure: Erasure): unknown {
  if (typeof value === 'string') return erasure.pseudonym(value) ?? value
  if (Array.isArray(value)) return value.map((item) => redactIds(item, erasure))
  return redactValue(value, erasure, false)
}

function namesOf(value: unknown, pseudonym: Pseudonym, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) namesOf(item, pseudonym, found)
  else if (isObject(value)) {
    if (pseudonymOf(value, pseudonym) !== undefined) {
      const words = isObject(value.contact) ? value.text : undefined
      for (const name of [value.name, value.email, `{{${value.userId}}}`, words])
        if (isUsableName(name)) found.add(name)
    }
    for (const item of Object.values(value)) namesOf(item, pseudonym, found)
  }
  return found
}

// Longer names are not searched for in texts.
const MAX_NAME = 512

const isUsableName = (name: unknown): name is string =>
  typeof name === 'string' && name !== '' && name.length <= MAX_NAME

const pseudonymOf = (value: Record<string, unknown>, pseudonym: Pseudonym) =>
  typeof value.userId === 'string' && !isSystemActor(value) ? pseudonym(value.userId) : undefined
