import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSecrets, loadOrCreateSecretKeys, parseSecretKeys } from './secret.ts'

const key = (id: string) => ({ id, key: randomBytes(32) })
const old = key('old')
const current = key('new')

describe('sealing', () => {
  const secrets = createSecrets([current])

  test.each(['', 'a', 'ü𝒳', 'x'.repeat(100_000)])('opens what it sealed', (text) => {
    expect(secrets.open(secrets.seal(text, 'c'), 'c')).toBe(text)
  })

  test('never seals to the same text twice, nor shows the plaintext', () => {
    const sealed = secrets.seal('plaintext', 'c')
    expect(secrets.seal('plaintext', 'c')).not.toBe(sealed)
    expect(Buffer.from(sealed.split('.')[1] ?? '', 'base64url').toString('latin1')).not.toContain('plaintext')
  })

  test('refuses another context', () => {
    expect(() => secrets.open(secrets.seal('text', 'a'), 'b')).toThrow(/another context/)
  })

  test('refuses a text with a sign more, although it stands for the same bytes', () => {
    const sealed = secrets.seal('a', 'c')
    for (const sign of ['x', '=', '!', ' ', '\n']) {
      expect(() => secrets.open(`${sealed}${sign}`, 'c')).toThrow(/was changed/)
    }
  })

  test('refuses a text in which any one byte was changed', () => {
    const bytes = Buffer.from(secrets.seal('text', 'c').slice('new.'.length), 'base64url')
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(bytes.readUInt8(i) ^ 1, i)
      expect(() => secrets.open(`new.${changed.toString('base64url')}`, 'c')).toThrow(/was changed/)
    }
  })

  test.each(['', '.', 'new.', 'new.AAAA', 'nothing', 'new'])('refuses %j', (text) => {
    expect(() => secrets.open(text, 'c')).toThrow()
  })
})

describe('sealing bytes', () => {
  const secrets = createSecrets([current])
  const bytes = randomBytes(1000)

  test.each([32, 33, 100, 1031, 1032])('opens them from pieces of %i bytes', (size) => {
    expect(secrets.openBytes(cut(secrets.sealBytes(bytes, 'c'), size), 'c')).toEqual(bytes)
  })

  test('refuses them if a piece is missing, changed or in another place', () => {
    const [first = Buffer.alloc(0), second = Buffer.alloc(0), ...others] = cut(secrets.sealBytes(bytes, 'c'), 100)
    const changed = Buffer.from(second.map((byte, i) => (i === 50 ? byte ^ 1 : byte)))
    for (const pieces of [[], [first], [first, changed, ...others], [second, first, ...others], [first, ...others]]) {
      expect(() => secrets.openBytes(pieces, 'c')).toThrow(/was changed/)
    }
  })
})

const cut = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))

describe('hashing', () => {
  const secrets = createSecrets([current])

  test('verifies the token and no other', () => {
    const hash = secrets.hash('token')
    expect(secrets.verify('token', hash)).toBe(true)
    expect(secrets.verify('Token', hash)).toBe(false)
    expect(secrets.verify('', hash)).toBe(false)
  })

  test.each(['', '.', 'new.', 'new.AAAA', 'gone.AAAA', 'token'])('is false for the malformed hash %j', (hash) => {
    expect(secrets.verify('token', hash)).toBe(false)
  })

  test('depends on the key', () => {
    const [, other] = createSecrets([{ id: 'new', key: randomBytes(32) }])
      .hash('token')
      .split('.')
    expect(secrets.verify('token', `new.${other}`)).toBe(false)
  })
})

describe('rotation', () => {
  const before = createSecrets([old])
  const during = createSecrets([current, old])
  const after = createSecrets([current])

  test('reads values of an old key', () => {
    const sealed = before.seal('text', 'c')
    const hash = before.hash('token')
    expect(during.open(sealed, 'c')).toBe('text')
    expect(during.verify('token', hash)).toBe(true)
  })

  test('makes new values with the first key', () => {
    expect(during.currentKeyId).toBe('new')
    const sealed = during.seal('text', 'c')
    expect(after.open(sealed, 'c')).toBe('text')
    expect(after.verify('token', during.hash('token'))).toBe(true)
  })

  test('says which key is missing once it is gone', () => {
    expect(() => after.open(before.seal('text', 'c'), 'c')).toThrow(/no secret key old/)
  })
})

describe('SECRET_KEYS', () => {
  test('lists keys, the current one first', () => {
    const text = [current, old].map(({ id, key }) => `${id}:${key.toString('base64')}`).join(', ')
    expect(parseSecretKeys(text)).toEqual([current, old])
  })

  test.each([
    ['', /entry 1/],
    ['abc', /entry 1/],
    [`a:${randomBytes(16).toString('base64')}`, /32 bytes/],
    [`a:${randomBytes(32).toString('base64')},b`, /entry 2/],
    [`a.b:${randomBytes(32).toString('base64')}`, /entry 1/],
    [`a:${old.key.toString('base64')},a:${old.key.toString('base64')}`, /repeat/],
  ])('refuses %j', (text, message) => {
    expect(() => parseSecretKeys(text)).toThrow(message)
  })

  test('a refusal does not show the key', () => {
    const secret = randomBytes(31).toString('base64')
    expect(() => parseSecretKeys(`a:${secret}`)).toThrow(expect.not.stringContaining(secret))
  })
})

describe('the key file of an embedded database', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'keys-'))
  })
  afterEach(() => rm(directory, { recursive: true }))

  test('is made once, in a directory and a file that only the owner can read', async () => {
    const dataDir = join(directory, 'data')
    const made = await loadOrCreateSecretKeys(dataDir)
    expect(made).toHaveLength(1)
    expect(await loadOrCreateSecretKeys(dataDir)).toEqual(made)
    expect((await stat(join(dataDir, 'secret-keys'))).mode & 0o777).toBe(0o600)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect(await readdir(dataDir)).toEqual(['secret-keys'])
  })

  test('is the same for all who start at once', async () => {
    const starts = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateSecretKeys(directory)))
    expect(new Set(starts.map(([first]) => first?.key.toString('hex'))).size).toBe(1)
    expect(await readdir(directory)).toEqual(['secret-keys'])
  })

  test('is never replaced when it is damaged', async () => {
    await writeFile(join(directory, 'secret-keys'), 'damaged')
    await expect(loadOrCreateSecretKeys(directory)).rejects.toThrow(/^The file .*secret-keys must be .*entry 1/)
  })
})
