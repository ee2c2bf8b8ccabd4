import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto'
import { readPublicKey } from '../endpoint/public-key.ts'

/** How the payloads of an endpoint are transformed. */
export interface PayloadOptions {
  encode: boolean
  /** Null: not encrypted. */
  publicKey: string | null
  protect: boolean
}

/** Makes a request body of JSON: removes personal data, then encrypts, then encodes it, each if the options say so. */
export function toBody(payload: string, { encode, publicKey, protect }: PayloadOptions): string {
  const json = protect ? JSON.stringify(withoutPersonalData(JSON.parse(payload))) : payload
  const text = publicKey === null ? json : JSON.stringify(encrypt(json, publicKey))
  return encode ? JSON.stringify({ encodedPayload: Buffer.from(text).toString('base64') }) : text
}

/** Encrypts with AES-256-CBC under a fresh key, and wraps that key by RSA-OAEP with SHA-256. All values are base64. */
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

// Fields removed at any depth: what people wrote and said, what describes them, and custom data of any content.
const PERSONAL_FIELDS = new Set([
  'commentText',
  'commentHtml',
  'commentVoiceUrl',
  'displayMessage',
  'transcription',
  'context',
  'deviceInfo',
])
// Files, alone or in lists. All texts inside are removed at any depth, except those of KEPT_TEXTS_OF_FILE.
const FILES = new Set(['attachment', 'attachments', 'recorder', 'recorders', 'assets', 'assetsAllVersions'])
const KEPT_TEXTS_OF_FILE = ['id', 'userId', 'type', 'mimeType', 'fileFormat']
// Records to which callers add fields, any of which may be personal. Only fields known to be harmless are kept.
const KEPT_OF_TARGET = ['elementId', 'occurrence', 'selectAllContent']
const KEPT_OF_GROUP = ['groupId', 'clientGroupId']
const KEPT_OF_SUGGESTION = ['targetId', 'targetType', 'status', 'driftDetected', 'resolvedBy', 'resolvedAt']
const KEPT_OF_AGENT = ['agentId', 'agentSource', 'agentType', 'executionId', 'url', 'reason']
const KEPT_OF_FINDING = ['findingId', 'severity']
// A record with a `userId` and one of these fields is a user.
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

/** Whether a field of a record is removed, by the kind of the record. */
const IS_PERSONAL = {
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
type RecordKind = keyof typeof IS_PERSONAL

const holdsText = (value: unknown) => [value].flat(Number.POSITIVE_INFINITY).some((item) => typeof item === 'string')

/** Reduces users to `{ userId }`, and removes what people and agents wrote and the names and URLs of attached files. */
function withoutPersonalData(value: unknown, kind: RecordKind | null = null): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutPersonalData(item, kind))
  if (typeof value !== 'object' || value === null) return value
  if ('userId' in value && USER_FIELDS.some((field) => field in value)) return { userId: value.userId }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !PERSONAL_FIELDS.has(key) && !(kind && IS_PERSONAL[kind](key, item)))
      .map(([key, item]) => [key, withoutPersonalData(item, kindOf(key, kind))]),
  )
}

/** The kind of a record by the name of its field, and by the kind of the record that has the field. */
function kindOf(key: string, parent: RecordKind | null): RecordKind | null {
  if (parent === 'file' || FILES.has(key)) return 'file'
  if (parent === 'agent' && key === 'reason') return 'finding'
  if (parent === 'suggestion' && key === 'resolvedBy') return 'resolvedBy'
  return NAMED_KINDS.has(key) ? (key as RecordKind) : null
}

// Kinds that are known by the field's name, at any depth.
const NAMED_KINDS = new Set([
  'targetElement',
  'taggedUserContacts',
  'toOrganizationUserGroup',
  'suggestion',
  'agent',
  'customList',
])
