import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeDirectory } from './settings/make-directory.ts'

/** A master key: 32 bytes and an id, which everything made with the key names. */
export interface SecretKey {
  id: string
  key: Buffer
}

/** Encryption at rest and keyed hashes. The first key makes new values; every key reads existing ones. */
export interface Secrets {
  readonly currentKeyId: string
  /** Encrypts a text; only `open` with the same context returns it. */
  seal(plaintext: string, context: string): string
  /** Decrypts a text. Throws if it was changed, was sealed with another context, or its key is missing. */
  open(sealed: string, context: string): string
  /** The same for bytes. Only the current key opens them: they are for what can be made again. */
  sealBytes(bytes: Uint8Array, context: string): Buffer
  /** `sealed` may be cut into pieces, the first of them of 32 bytes or more. */
  openBytes(sealed: readonly Uint8Array[], context: string): Buffer
  /** A keyed hash of a random token. Without the key it is of no use to a reader of the database. */
  hash(token: string): string
  /** Compares in constant time; false for anything that is not a hash of this token. */
  verify(token: string, hash: string): boolean
  /** Whether the key that made the hash is there: without it `verify` is false for every token. */
  canVerify(hash: string): boolean
}

/** Creates `Secrets` from master keys, the current one first. */
export function createSecrets(keys: SecretKey[]): Secrets {
  const [current] = keys
  if (!current) throw new Error('At least one secret key is needed.')
  const currentKeyId = current.id
  const subkeys = new Map(keys.map(({ id, key }) => [id, { seal: subkey(key, 'seal'), hash: subkey(key, 'hash') }]))
  const subkeysOf = (keyId: string) => {
    const found = subkeys.get(keyId)
    if (!found)
      throw new Error(`There is no secret key ${keyId}: SECRET_KEYS must keep every key that is still in use.`)
    return found
  }

  return {
    currentKeyId,
    seal: (plaintext, context) =>
      `${currentKeyId}.${encrypt(subkeysOf(currentKeyId).seal, Buffer.from(plaintext), context).toString('base64url')}`,
    open: (sealed, context) =>
      decrypt(subkeysOf(keyIdOf(sealed)).seal, [bytesOf(bodyOf(sealed))], context).toString('utf8'),
    sealBytes: (bytes, context) => encrypt(subkeysOf(currentKeyId).seal, bytes, context),
    openBytes: (sealed, context) => decrypt(subkeysOf(currentKeyId).seal, sealed, context),
    hash: (token) => `${currentKeyId}.${digest(subkeysOf(currentKeyId).hash, token).toString('base64url')}`,
    verify(token, hash) {
      const known = subkeys.get(keyIdOf(hash))
      if (!known) return false
      const expected = Buffer.from(bodyOf(hash), 'base64url')
      const actual = digest(known.hash, token)
      return expected.length === actual.length && timingSafeEqual(expected, actual)
    },
    canVerify: (hash) => subkeys.has(keyIdOf(hash)),
  }
}

/**
 * Parses SECRET_KEYS: `id:base64 of 32 bytes`, comma-separated, the current key first. Throws a SyntaxError where that
 * is not so, and an Error where two keys have one id.
 */
export function parseSecretKeys(text: string): SecretKey[] {
  const keys = text.split(',').map((entry, index) => {
    const [, id, encoded] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]+={0,2})$/.exec(entry.trim()) ?? []
    const key = Buffer.from(encoded ?? '', 'base64')
    if (id === undefined || key.length !== 32) {
      throw new SyntaxError(`must be a comma-separated list of id:base64 of 32 bytes; entry ${index + 1} is not`)
    }
    return { id, key }
  })
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('must not repeat a key id')
  return keys
}

/** Loads the keys stored beside an embedded database. The first start creates them, readable by their owner only. */
export async function loadOrCreateSecretKeys(dataDir: string): Promise<SecretKey[]> {
  const path = join(dataDir, 'secret-keys')
  const stored = await readIfExists(path)
  const text = stored ?? (await createKeyFile(dataDir, path))
  try {
    const keys = parseSecretKeys(text)
    if (stored === undefined) made.add(keys)
    return keys
  } catch (error) {
    throw new Error(`The file ${path} ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

/** The keys that this process made, because there were none. */
const made = new WeakSet<SecretKey[]>()

/**
 * Removes the stored keys if this process made them, and returns whether it did: nothing may be sealed with them yet.
 */
export async function removeMadeKeys(dataDir: string, keys: SecretKey[]): Promise<boolean> {
  if (!made.delete(keys)) return false
  await rm(join(dataDir, 'secret-keys'))
  return true
}

async function createKeyFile(dataDir: string, path: string): Promise<string> {
  await makeDirectory(resolve(dataDir))
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeDurably(draft, `k1:${randomBytes(32).toString('base64')}\n`)
  try {
    // A link appears whole or not at all, and never replaces keys that another process has created.
    await link(draft, path).catch(ignore('EEXIST'))
  } finally {
    await rm(draft)
  }
  await sync(dataDir)
  return readFile(path, 'utf8')
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function sync(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const readIfExists = (path: string) => readFile(path, 'utf8').catch(ignore('ENOENT'))

const ignore = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error
}

const subkey = (key: Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `precedent ${purpose}`, 32))

const SALT_BYTES = 16
const TAG_BYTES = 16
const HEAD_BYTES = SALT_BYTES + TAG_BYTES

// Every text has a key of its own, derived from a random salt. AES-GCM with random nonces under one key would be
// limited to 2^32 texts, and page tokens reach that.
function messageCipher(key: Buffer, salt: Uint8Array): { key: Buffer; iv: Buffer } {
  const material = Buffer.from(hkdfSync('sha256', key, salt, 'message', 44))
  return { key: material.subarray(0, 32), iv: material.subarray(32) }
}

function encrypt(sealKey: Buffer, plain: Uint8Array, context: string): Buffer {
  const salt = randomBytes(SALT_BYTES)
  const { key, iv } = messageCipher(sealKey, salt)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([salt, cipher.getAuthTag(), body])
}

function decrypt(sealKey: Buffer, pieces: readonly Uint8Array[], context: string): Buffer {
  const [first = new Uint8Array()] = pieces
  const tag = first.subarray(SALT_BYTES, HEAD_BYTES)
  const { key, iv } = messageCipher(sealKey, first.subarray(0, SALT_BYTES))
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
    const bodies = [first.subarray(HEAD_BYTES), ...pieces.slice(1)]
    const plain = Buffer.allocUnsafeSlow(bodies.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const body of bodies) at += decipher.update(body).copy(plain, at)
    // It only checks the tag: this cipher holds no bytes back.
    decipher.final()
    return plain
  } catch (cause) {
    throw new Error(CHANGED, { cause })
  }
}

const CHANGED = 'The sealed text was changed or belongs to another context.'

/** The bytes that a sealed text is written for. Node reads texts with signs added to it as the same bytes. */
function bytesOf(body: string): Buffer {
  const bytes = Buffer.from(body, 'base64url')
  if (bytes.toString('base64url') !== body) throw new Error(CHANGED)
  return bytes
}

const digest = (hashKey: Buffer, token: string) => createHmac('sha256', hashKey).update(token).digest()

const keyIdOf = (value: string) => value.slice(0, Math.max(0, value.indexOf('.')))
const bodyOf = (value: string) => value.slice(value.indexOf('.') + 1)
