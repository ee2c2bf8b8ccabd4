import { DirectoryInUse } from '../platform/db/embedded/directory-lock.ts'

/** The exit code where a running server holds the embedded database. It can be asked instead. */
const IN_USE = 75

/**
 * Runs a command with the arguments of the process. A failure is its message on standard error, and exit code 1 or 75.
 * `usage` is shown for arguments that `parseArgs` refuses, such as `--help`.
 */
export function runCommand(main: (args: string[]) => Promise<void>, usage?: string): void {
  main(process.argv.slice(2)).catch((error: unknown) => {
    const isInUse = error instanceof DirectoryInUse
    const said = error instanceof Error ? error.message : String(error)
    const message = isRefusal(error) ? (usage ?? said) : said
    process.stderr.write(`${isInUse ? ALONE : message}\n`)
    process.exitCode = isInUse ? IN_USE : 1
  })
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

const ALONE =
  'The embedded database of DATA_DIR is in use by another process, and this command needs it alone. Stop the server, ' +
  'run the command, and start the server again.'
