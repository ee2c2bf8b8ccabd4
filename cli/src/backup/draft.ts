import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { Failure } from '../failure.ts'

export interface Draft {
  stream: WriteStream
  /** Gives the file its name, whole. It never replaces a file: of several drafts for one name, only one gets it. */
  finish(): Promise<void>
  discard(): Promise<void>
}

/**
 * Opens a file beside the final one, which takes its name once it is whole. Another process may write one at the same
 * time.
 */
export async function openDraft(file: string, owner: string | number = process.pid): Promise<Draft> {
  // Before the work, so that none is lost.
  if (await stat(file).catch(() => undefined)) throw taken(file)
  const path = `${file}.${owner}.partial`
  const stream = createWriteStream(path, { mode: 0o600, flush: true })
  await once(stream, 'open').catch((error) => {
    throw new Failure(`${path} cannot be written: ${error.message}`)
  })
  const finish = async () => {
    try {
      await link(path, file)
    } catch (error) {
      return giveName(path, file, error as NodeJS.ErrnoException)
    }
    await rm(path)
  }
  return { stream, finish, discard: () => rm(path, { force: true }) }
}

/**
 * Gives the file its name where it cannot have two. Takes the name by an empty file before, which a kill leaves: a
 * rename alone would replace a file that appeared a moment before.
 */
async function giveName(path: string, file: string, { code }: NodeJS.ErrnoException): Promise<void> {
  if (code === 'EEXIST') throw taken(file)
  const empty = await open(file, 'wx', 0o600).catch((error) => {
    throw error.code === 'EEXIST' ? taken(file) : error
  })
  await empty.close()
  await rename(path, file).catch(async (error) => {
    await rm(file, { force: true })
    throw error
  })
}

const taken = (file: string) => new Failure(`${file} exists already.`, 'Name another file, or delete it.')
