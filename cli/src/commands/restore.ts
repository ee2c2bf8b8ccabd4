import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Chunks, DECRYPTION, damaged, decryptionOf } from '../backup/encryption.ts'
import { type Contents, inspected } from '../backup/inspect.ts'
import { type Command, command } from '../command.ts'
import { Failure } from '../failure.ts'
import { write, writeJson, writeLine } from '../output.ts'
import { startProgress } from '../progress.ts'
import { programPath } from '../server-program.ts'

/** `precedent restore`: fills an empty database with a backup, or changes nothing. */
export const restore: Command = command({
  name: 'restore',
  isLocal: true,
  summary: 'Fill an empty database with a backup, or change nothing. With --check only verify the backup.',
  parameters: ['<file>'],
  options: {
    ...DECRYPTION,
    check: { type: 'boolean', about: 'Read the whole backup and verify it; restore nothing.' },
  },
  notes:
    'It runs on this machine: DATABASE_URL names the empty database, or DATA_DIR the directory. The server must not run.\n' +
    'The master keys come first: set SECRET_KEYS, or put the file secret-keys into DATA_DIR, as on the old server.',
  async run({ json, check, ...values }, [file = '']) {
    const chunks = await unpacked(file, values)
    const progress = startProgress(check ? 'Checking' : 'Restoring')
    let contents: Contents | undefined
    const lines = inspected(chunks, progress.show, (found) => {
      contents = found
    })
    let restored: string | undefined
    try {
      if (!check) restored = await fill(lines, json ? ['--json'] : [])
      else for await (const _ of lines);
    } catch (error) {
      throw damageOf(error)
    } finally {
      progress.end()
    }
    if (restored !== undefined) return write(restored)
    if (json) return writeJson(contents)
    await writeLine(`The backup is whole: ${contents?.rows} rows as of ${contents?.at}, ${contents?.bytes} bytes.`)
    await writeLine(`A restore needs the master keys ${contents?.keys.join(', ')}.`)
  },
})

/** The lines of a backup, decrypted and unpacked as its first bytes say. */
async function unpacked(file: string, values: Parameters<typeof decryptionOf>[0]): Promise<Chunks> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new Failure(`${file} is no file.`, 'Name the file that `precedent backup` has written.')
  const start = Buffer.alloc(BY_PASSPHRASE.length)
  const handle = await open(file)
  await handle.read(start, 0, start.length, 0)
  await handle.close()
  const stored: Chunks = createReadStream(file)
  const text = start.toString('latin1')
  if (text.startsWith(AGE)) {
    if (text !== BY_PASSPHRASE && values.identity === undefined) {
      throw new Failure('The backup is encrypted with a key.', 'Name the file that holds the key: --identity <file>')
    }
    return gunzipped((await decryptionOf(values))(stored))
  }
  return start[0] === GZIP ? gunzipped(stored) : stored
}

const AGE = 'age-encryption.org/v1'
const BY_PASSPHRASE = `${AGE}\n-> scrypt `
const GZIP = 0x1f

async function* gunzipped(chunks: Chunks): Chunks & AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  const fed = pipeline(chunks, gunzip)
  fed.catch(() => {})
  yield* gunzip
  await fed
}

/** Runs the server's program, which fills the database in one transaction. */
async function fill(lines: Chunks, args: string[]): Promise<string> {
  const child = spawn(process.execPath, [programPath('restore'), ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'close')
  const fault = await pipeline(lines, child.stdin).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  )
  const [code, signal] = await ended
  // Whoever refuses a backup does not read it to its end.
  if (fault && fault.code !== 'EPIPE') throw fault
  if (signal)
    throw new Failure(`The restore was ended by ${signal}; the database holds nothing of it.`, 'Restore again.')
  if (code !== 0) throw new Failure(errors.trim())
  return output
}

function damageOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('Z_') ? damaged() : error
}
