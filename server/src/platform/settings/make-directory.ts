import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a directory, and those above it, for their owner alone, unless it is there. Rejects where the system makes
 * none: below /proc the recursive `mkdir` of Node never ends.
 */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    const above = dirname(path)
    if (code !== 'ENOENT' || existsSync(above)) throw error
    await makeDirectory(above)
    await makeDirectory(path)
  }
}
