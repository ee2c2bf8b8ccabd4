import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rmdir, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { holdsCluster } from '../../platform/db/embedded/data-directory.ts'
import { type Finding, failure, ok, reasonOf, warning } from './finding.ts'

const MIB = 1024 * 1024
const LITTLE_MIB = 1024
const NOTHING_MIB = 100

/**
 * Checks the directory of the embedded database: that it can be written, that there is space, and who reads its keys.
 */
export async function* checkDirectory({ secretKeys, dataDir }: Config): AsyncGenerator<Finding> {
  const place = existing(resolve(dataDir))
  const fault = await writing(place, dataDir)
  if (fault) return yield fault
  yield await checkDisk(place, dataDir)
  if (!holdsCluster(dataDir)) {
    yield warning('database', `There is no database in ${dataDir} yet.`, 'The first start of the server creates it.')
  }
  const keys = join(dataDir, 'secret-keys')
  if (secretKeys !== undefined || !existsSync(keys) || (statSync(keys).mode & 0o077) === 0) return
  yield failure('secret keys', `Other users of this machine can read ${keys}.`, `Run: chmod 600 ${keys}`)
}

/** The directory, or the nearest above it that exists: there it will be created. */
const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)))

/** What prevents writing; undefined if nothing does. */
async function writing(place: string, dataDir: string): Promise<Finding | undefined> {
  try {
    await rmdir(await mkdtemp(join(place, '.doctor-')))
    return undefined
  } catch (error) {
    const mend = 'Let the user of the server own it and write there, or set DATA_DIR to another directory.'
    return failure('data directory', `${dataDir} cannot be written: ${reasonOf(error)}.`, mend)
  }
}

async function checkDisk(place: string, dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(place)
  const free = Math.round((bavail * bsize) / MIB)
  const message = `The disk of ${dataDir} has ${free} MiB left.`
  if (free < NOTHING_MIB) return failure('disk', message, 'Free space: writes fail when it is full.')
  return free < LITTLE_MIB ? warning('disk', message, 'Free space soon.') : ok('disk', message)
}
