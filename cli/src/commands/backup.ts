import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { openDraft } from '../backup/draft.ts'
import { type Chunks, ENCRYPTION, encryptionOf } from '../backup/encryption.ts'
import { exportOfServer, exportOfThisMachine, remoteServer } from '../backup/export-lines.ts'
import { type Contents, inspected } from '../backup/inspect.ts'
import { type Command, command } from '../command.ts'
import { Failure, UsageError } from '../failure.ts'
import { note, writeJson, writeLine } from '../output.ts'
import { chosenProfile } from '../profile.ts'
import { startProgress } from '../progress.ts'

const backup = command({
  name: 'backup',
  summary: 'Write all data of the installation to a file, from one moment, while the server runs.',
  parameters: ['<file>'],
  options: ENCRYPTION,
  notes:
    'The file may be -, which is standard output. It holds everything that is stored, of all workspaces. It holds neither\n' +
    'the master keys (SECRET_KEYS, or the file secret-keys) nor the settings: keep these elsewhere.\n' +
    'Without --server or --profile it backs up the database of this machine, by the settings of the environment.\n' +
    'With one of them, PRECEDENT_OPERATOR_TOKEN must hold the OPERATOR_TOKEN of that server.',
  async run({ json, ...values }, [file = '']) {
    if (file === '-' && process.stdout.isTTY) throw new UsageError('A backup is no text: name a file, or redirect it.')
    const isRemote = values.server !== undefined || values.profile !== undefined
    const server = isRemote ? remoteServer(await chosenProfile(values)) : undefined
    const encrypt = await encryptionOf(values)
    const linesUntil = (signal: AbortSignal) => (server ? exportOfServer(server, signal) : exportOfThisMachine(signal))
    const contents = await store(linesUntil, encrypt, file)
    const { at, keys, rows } = contents
    if (json) return file === '-' ? undefined : writeJson({ file, encrypted: encrypt !== undefined, ...contents })
    const what = rows === 1 ? `1 row as of ${at} is` : `${rows} rows as of ${at} are`
    note(`${what} in ${file === '-' ? 'the backup' : file}${encrypt ? ', encrypted' : ''}.`)
    note(`The master keys are not: ${keys.join(', ')}. Keep them elsewhere; a restore needs them.`)
  },
})

/** Packs the lines and stores them. The file appears under its name once it is whole and on the disk. */
async function store(
  linesUntil: (signal: AbortSignal) => Chunks,
  encrypt: ((chunks: Chunks) => Chunks) | undefined,
  file: string,
): Promise<Contents> {
  const draft = file === '-' ? undefined : await openDraft(file)
  const progress = startProgress('Backing up')
  const interrupt = new AbortController()
  process.once('SIGINT', () => interrupt.abort()).once('SIGTERM', () => interrupt.abort())
  let contents: Contents | undefined
  try {
    await pipeline(
      inspected(linesUntil(interrupt.signal), progress.show, (found) => {
        contents = found
      }),
      createGzip(),
      encrypt ?? ((chunks: Chunks) => chunks),
      draft?.stream ?? process.stdout,
      { signal: interrupt.signal, end: draft !== undefined },
    )
    await draft?.finish()
  } catch (error) {
    await draft?.discard()
    if (interrupt.signal.aborted) throw new Failure('The backup was interrupted; nothing is left of it.')
    if (draft && isOfWriting(error)) {
      throw new Failure(
        `${file} cannot be written: ${error.message}; nothing is left of it.`,
        'Name a place with more room.',
      )
    }
    throw error
  } finally {
    progress.end()
  }
  if (contents) return contents
  throw new Failure('The backup is empty.')
}

/** True if the disk took no more, or failed. */
const isOfWriting = (error: unknown): error is Error =>
  error instanceof Error && 'syscall' in error && error.syscall === 'write' && 'code' in error && error.code !== 'EPIPE'

const backupKey = command({
  name: 'backup-key',
  isLocal: true,
  summary: 'Make a key for backups: the file opens them, and what is shown encrypts them.',
  parameters: ['<file>'],
  options: {},
  notes: 'Keep the file away from the server, so that who takes the server cannot read its backups.',
  async run({ json }, [file = '']) {
    const identity = await generateIdentity()
    const recipient = await identityToRecipient(identity)
    await writeFile(file, `# public key: ${recipient}\n${identity}\n`, { flag: 'wx', mode: 0o400 }).catch((error) => {
      throw new Failure(`${file} cannot be written: ${error.message}`)
    })
    await (json ? writeJson({ file, recipient }) : writeLine(recipient))
  },
})

export const backupCommands: Command[] = [backup, backupKey]
