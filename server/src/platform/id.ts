import { hash, randomBytes, randomFillSync, randomInt } from 'node:crypto'

/** A workspace id: `ws_…`. */
export const newWorkspaceId = (): string => randomId('ws_')

/** An advanced webhook endpoint id: `ep_…`. */
export const newEndpointId = (): string => randomId('ep_')

/** An activity id: `act_…`. */
export const newActivityId = (): string => randomId('act_')

/** The id of a request whose caller sent none: `req_…`. */
export const newRequestId = (): string => randomId('req_')

/** An API key: 20 letters and digits (119 random bits). */
export const newApiKey = (): string => lettersAndDigits(20)

/** An auth token: 43 letters and digits (256 random bits). */
export const newAuthToken = (): string => lettersAndDigits(43)

/** The signing secret of an endpoint (Standard Webhooks): `whsec_` and the base64 of 24 bytes. */
export const newSigningSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

let lastTime = 0
let order = 0

/**
 * A unique id with a prefix. It has 48 bits of time, 20 bits of order within a millisecond of this process, and 60
 * random bits. So ids sort and index in the order of creation.
 */
export function randomId(prefix: string): string {
  const now = Date.now()
  order = now === lastTime ? (order + 1) % 2 ** 20 : 0
  lastTime = now
  return prefix + base32(now, 10) + base32(order, 4) + randomDigits(12)
}

const pool = Buffer.alloc(4096)
let used = pool.length

/** Random base-32 digits, drawn in bulk: a system call for a few bytes costs 20 µs. */
function randomDigits(count: number): string {
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let text = ''
  for (const end = used + count; used < end; used++) text += ID_DIGITS[(pool[used] ?? 0) & 31]
  return text
}

/** The lowest id that `randomId` makes at `time` or later. */
export const firstIdAt = (prefix: string, time: number): string =>
  prefix + base32(Math.max(0, Math.min(Math.floor(time), 2 ** 48)), 10)

/** The creation time of an id of `randomId` with this prefix, in epoch milliseconds; `firstIdAt` compares by it. */
export const timeOfId = (prefix: string, id: string): number =>
  [...id.slice(prefix.length, prefix.length + 10)].reduce((time, digit) => time * 32 + ID_DIGITS.indexOf(digit), 0)

/** Ids longer than this are not remembered, so that what is remembered takes a few megabytes. */
const LONGEST_REMEMBERED = 64
const MOST_REMEMBERED = 4_096
let recentKeys = new Map<string, string>()
let olderKeys = new Map<string, string>()

/**
 * The fixed-size key of an id that a caller chose, as a uuid: the first 16 bytes of its SHA-256. Calls name the same
 * ids again and again, so the keys of the latest are remembered.
 */
export function keyOf(id: string): string {
  const remembered = recentKeys.get(id)
  if (remembered !== undefined) return remembered
  const key = olderKeys.get(id) ?? hashedKey(id)
  if (id.length <= LONGEST_REMEMBERED) {
    if (recentKeys.size === MOST_REMEMBERED) {
      olderKeys = recentKeys
      recentKeys = new Map()
    }
    recentKeys.set(ownText(id), key)
  }
  return key
}

/** The same of an id that may be missing; null without one. */
export const optionalKey = (id: string | null | undefined): string | null =>
  id === undefined || id === null ? null : keyOf(id)

/** No key sorts before it: what is read in the order of keys begins after it. */
export const FIRST_KEY = '00000000-0000-0000-0000-000000000000'

/**
 * A copy of a text that is kept for long. V8 keeps the whole text, perhaps a large one, that a string of 13 characters
 * or more was cut from.
 */
export const ownText = (text: string): string => ` ${text}`.slice(1)

function hashedKey(id: string): string {
  const hex = hash('sha256', id, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

/** A stable id of 32 hex digits for an id that a caller chose; it differs between kinds and API keys. */
export function hexId(kind: string, apiKey: string, id: string): string {
  return hash('sha256', JSON.stringify([kind, apiKey, id]), 'hex').slice(0, 32)
}

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function lettersAndDigits(length: number): string {
  return Array.from({ length }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join('')
}

/** The digits of ids: Crockford's alphabet, which has no look-alikes. They are in character order, so ids sort. */
export const ID_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

function base32(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = ID_DIGITS[rest % 32] + text
  return text
}
