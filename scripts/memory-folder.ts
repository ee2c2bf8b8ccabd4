import { spawn } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
const GIB = 1024 ** 3
/** What the files of a whole run may take, and what the tests themselves need beside. */
const FILES_GIB = 4
const TESTS_GIB = 4

/** Waits for the end of its input, which comes with the end of this process. What it started may write for a while. */
const GUARD = '/bin/cat >/dev/null; until /bin/rm -rf "$1"; do /bin/sleep 1; done'

/**
 * A folder in memory for the temporary files of a run, which goes when this process ends, for any reason. Undefined
 * where the system has none, or not enough memory. Tests that start processes wait for the disk a quarter of their time
 * otherwise.
 */
export function memoryFolder(): string | undefined {
  try {
    accessSync(IN_MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    if (bavail * bsize < FILES_GIB * GIB || process.availableMemory() < (FILES_GIB + TESTS_GIB) * GIB) return undefined
  } catch {
    return undefined
  }
  // A short name: tests make sockets inside, whose path has at most 107 bytes.
  const folder = mkdtempSync(join(IN_MEMORY, 'tests-'))
  // PostgreSQL runs under an account of its own where root starts it.
  chmodSync(folder, 0o711)
  // It has a session of its own.
  const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  guard.unref()
  return folder
}
