import { constants, copyFileSync, mkdirSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NO_ROOM_FOR_COPY } from '../db.ts'
import { Refused } from './protocol.ts'

const MB = 1024 * 1024
/** What stays free on the disk, so that the database itself can go on. */
const SPARE_BYTES = 256 * MB

/** Not of the data: it names the process that has the cluster open. */
const OF_THE_PROCESS = 'postmaster.pid'

/** Throws Refused unless the disk has room for a copy of the cluster. */
export function checkRoom(from: string, to: string): void {
  const size = filesOf(from).reduce((sum, { path, isFolder }) => sum + (isFolder ? 0 : statSync(from + path).size), 0)
  const { bavail, bsize } = statfsSync(dirname(to))
  if (bavail * bsize >= size + SPARE_BYTES) return
  const [needed, free] = [Math.ceil((size + SPARE_BYTES) / MB), Math.floor((bavail * bsize) / MB)]
  const message = `A copy of the database needs ${needed} MiB of its disk, where ${free} MiB are free. Nothing was copied.`
  throw new Refused({ message, code: NO_ROOM_FOR_COPY, constraint: undefined })
}

/**
 * Copies the files of a cluster, which nobody may write meanwhile, into a new folder. Where the file system can share
 * blocks, it does.
 */
export function copyCluster(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 })
  for (const { path, isFolder } of filesOf(from)) {
    if (isFolder) mkdirSync(to + path, { recursive: true })
    else {
      mkdirSync(dirname(to + path), { recursive: true })
      copyFileSync(from + path, to + path, constants.COPYFILE_FICLONE)
    }
  }
}

const filesOf = (cluster: string) =>
  readdirSync(cluster, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name !== OF_THE_PROCESS)
    .map((entry) => ({ path: join(entry.parentPath, entry.name).slice(cluster.length), isFolder: entry.isDirectory() }))
