import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto'
import { readPublicKey } from '../endpoint/public-key.ts'

/** How the payloads of an endpoint are sent. */
export interface PayloadOptions {
  encode: boolean
  /** Null: not encrypted. */
  publicKey: string | null
  protect: boolean
}

/** The body of a request from its JSON: personal data left out, then encrypted, then encoded, as far as the options say. */
export function toBody(payload: string, { encode, publicKey, protect }: PayloadOptions): string {
  const json = protect ? JSON.stringify(withoutPersonalData(JSON.parse(payload))) : payload
  const text = publicKey === null ? json : JSON.stringify(encrypt(json, publicKey))
  return encode ? JSON.stringify({ encodedPayload: Buffer.from(text).toString('base64') }) : text
}

/** AES-256-CBC under a fresh key, and that key wrapped by RSA-OAEP with SHA-256; everything in base64. */
function encrypt(text: string, publicKey: string) {
  const rsa = readPublicKey(publicKey)
  if (!rsa) throw new Error('The public key of the webhook configuration cannot be read.')
  const key = randomBytes(32)
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const wrapped = publicEncrypt({ key: rsa, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, key)
  return {
    encryptedData: encrypted.toString('base64'),
    encryptedKey: wrapped.toString('base64'),
    iv: iv.toString('base64'),
  }
}

// What people wrote and said, what tells of them, and data of the caller that may say anything, wherever it stands.
const LEFT_OUT = new Set([
  'commentText',
  'commentHtml',
  'commentVoiceUrl',
  'displayMessage',
  'transcription',
  'context',
  'deviceInfo',
])
// Files, alone or in lists; texts are left out however deep in one, but for these.
const FILES = new Set(['attachment', 'attachments', 'recorder', 'recorders', 'assets', 'assetsAllVersions'])
const KEPT_TEXTS_OF_FILE = ['id', 'userId', 'type', 'mimeType', 'fileFormat']
// Records with further fields of the caller, any of which may be text: what is known to be none is all that is kept.
const KEPT_OF_TARGET = ['elementId', 'occurrence', 'selectAllContent']
const KEPT_OF_GROUP = ['groupId', 'clientGroupId']
const KEPT_OF_SUGGESTION = ['targetId', 'targetType', 'status', 'driftDetected', 'resolvedBy', 'resolvedAt']
const KEPT_OF_AGENT = ['agentId', 'agentSource', 'agentType', 'executionId', 'url', 'reason']
const KEPT_OF_FINDING = ['findingId', 'severity']
// What tells a user from another record with a `userId`.
const USER_FIELDS = [
  'name',
  'displayName',
  'email',
  'initial',
  'photoUrl',
  'iconUrl',
  'color',
  'clientUserName',
  'contacts',
]

/** Which fields tell too much, of records that are more than their own fields say. */
const TELLS = {
  file: (key: string, value: unknown) => !KEPT_TEXTS_OF_FILE.includes(key) && holdsText(value),
  targetElement: (key: string) => !KEPT_OF_TARGET.includes(key),
  taggedUserContacts: (key: string) => key === 'text',
  toOrganizationUserGroup: (key: string) => !KEPT_OF_GROUP.includes(key),
  suggestion: (key: string) => !KEPT_OF_SUGGESTION.includes(key),
  resolvedBy: (key: string) => key !== 'userId',
  agent: (key: string) => !KEPT_OF_AGENT.includes(key),
  finding: (key: string) => !KEPT_OF_FINDING.includes(key),
  customList: (key: string) => key !== 'id',
}
type Inside = keyof typeof TELLS

const holdsText = (value: unknown) => [value].flat(Number.POSITIVE_INFINITY).some((item) => typeof item === 'string')

/** Users reduced to `{ userId }`; what people and agents wrote, and names and URLs of attached files, left out. */
export function withoutPersonalData(value: unknown, inside: Inside | null = null): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutPersonalData(item, inside))
  if (typeof value !== 'object' || value === null) return value
  if ('userId' in value && USER_FIELDS.some((field) => field in value)) return { userId: value.userId }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !LEFT_OUT.has(key) && !(inside && TELLS[inside](key, item)))
      .map(([key, item]) => [key, withoutPersonalData(item, insideOf(key, inside))]),
  )
}

function insideOf(key: string, around: Inside | null): Inside | null {
  if (around === 'file' || FILES.has(key)) return 'file'
  if (around === 'agent' && key === 'reason') return 'finding'
  if (around === 'suggestion' && key === 'resolvedBy') return 'resolvedBy'
  return OPENED.has(key) ? (key as Inside) : null
}

// By their own names wherever they stand.
const OPENED = new Set([
  'targetElement',
  'taggedUserContacts',
  'toOrganizationUserGroup',
  'suggestion',
  'agent',
  'customList',
])
