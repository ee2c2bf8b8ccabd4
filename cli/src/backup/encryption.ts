import { readFile } from 'node:fs/promises'
import { Decrypter, Encrypter } from 'age-encryption'
import { secrets } from '../ask.ts'
import type { Options } from '../command.ts'
import { Failure, UsageError } from '../failure.ts'

export type Chunks = AsyncIterable<Uint8Array>

const PASSPHRASE_FILE = {
  type: 'string',
  value: '<file>',
  about: 'The passphrase is the first line of this file.',
} as const

/** How a backup is encrypted. */
export const ENCRYPTION = {
  encrypt: { type: 'boolean', about: 'Encrypt with a passphrase, which the terminal asks for.' },
  'passphrase-file': PASSPHRASE_FILE,
  recipient: {
    type: 'string',
    multiple: true,
    value: '<age1…> …',
    about: 'Encrypt for the holder of this key, as `precedent backup-key` shows it.',
  },
} as const satisfies Options

interface Encryption {
  encrypt?: boolean
  'passphrase-file'?: string
  recipient?: string[]
}

/** Encrypts as the options say, in the format of age; undefined if they do not. */
export async function encryptionOf(values: Encryption): Promise<((chunks: Chunks) => Chunks) | undefined> {
  const { encrypt, 'passphrase-file': file, recipient = [] } = values
  if (!encrypt && file === undefined && recipient.length === 0) return undefined
  if ((encrypt || file !== undefined) && recipient.length > 0) {
    throw new UsageError('--recipient excludes a passphrase.')
  }
  const encrypter = new Encrypter()
  try {
    for (const each of recipient) encrypter.addRecipient(each)
  } catch {
    throw new UsageError('--recipient takes a key that begins with age1, as `precedent backup-key` shows it.')
  }
  if (recipient.length === 0) encrypter.setPassphrase(await newPassphrase(file))
  return async function* (chunks) {
    yield* await encrypter.encrypt(ReadableStream.from(chunks))
  }
}

async function newPassphrase(file: string | undefined): Promise<string> {
  if (file !== undefined) return firstLine(file)
  const [first = '', second] = await secrets(['Passphrase of the backup: ', 'Again: '])
  if (first !== second) throw new Failure('The two passphrases differ.')
  return first
}

/** How a backup is decrypted. */
export const DECRYPTION = {
  'passphrase-file': PASSPHRASE_FILE,
  identity: { type: 'string', value: '<file>', about: 'The file that `precedent backup-key` made.' },
} as const satisfies Options

interface Decryption {
  'passphrase-file'?: string
  identity?: string
}

/**
 * Decrypts as the options say; asks for a passphrase if they say nothing. Each piece is verified before it is passed
 * on.
 */
export async function decryptionOf({
  'passphrase-file': file,
  identity,
}: Decryption): Promise<(chunks: Chunks) => Chunks> {
  const decrypter = new Decrypter()
  if (identity !== undefined) for (const key of await keysOf(identity)) decrypter.addIdentity(key)
  else decrypter.addPassphrase(file === undefined ? await askPassphrase() : await firstLine(file))
  return async function* (chunks) {
    const opened = await decrypter.decrypt(ReadableStream.from(chunks)).catch((error) => {
      const reason = error instanceof Error ? error.message : error
      throw new Failure(
        `The backup cannot be opened: ${reason}.`,
        'Check the passphrase, or name the key with --identity.',
      )
    })
    try {
      yield* opened
    } catch {
      throw damaged()
    }
  }
}

/** What neither decrypts nor unpacks to its end. */
export const damaged = () =>
  new Failure('The backup was changed or cut off after it was made.', 'Take another copy of it.')

const askPassphrase = async () => (await secrets(['Passphrase of the backup: ']))[0] ?? ''

async function firstLine(file: string): Promise<string> {
  const [line = ''] = (await read(file)).split(/\r?\n/, 1)
  if (line === '') throw new Failure(`The first line of ${file} is empty.`, 'Write the passphrase there.')
  return line
}

async function keysOf(file: string): Promise<string[]> {
  const keys = (await read(file)).split(/\s+/).filter((word) => word.startsWith('AGE-SECRET-KEY-'))
  if (keys.length > 0) return keys
  throw new Failure(`${file} holds no key.`, 'It must be the file that `precedent backup-key` made.')
}

const read = (file: string) =>
  readFile(file, 'utf8').catch((error) => {
    throw new Failure(`${file} cannot be read: ${error.message}`)
  })
