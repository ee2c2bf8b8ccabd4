import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeDirectory } from '../../settings/make-directory.ts'
import { lock, type Patience } from './directory-lock.ts'

/** The PostgreSQL major version whose files this build reads and writes. */
export const POSTGRES_MAJOR = 18

/** A data directory that only this process uses, until `release()`. */
export interface DataDirectory {
  /** The folder of the PostgreSQL cluster inside. */
  readonly cluster: string
  /** Where a snapshot of it may be laid, also beyond the release. */
  makeSnapshot(): Promise<Snapshot>
  release(): Promise<void>
}

/** Where a copy of the cluster may be made, until `remove()`. */
interface Snapshot {
  copy: string
  remove(): Promise<void>
}

/**
 * Takes a data directory for this process: creates it (0700) if missing, and locks it. One that is there keeps its
 * mode; its cluster is closed to other users. Refuses it with a clear message if another process uses it for longer
 * than there is patience, or another PostgreSQL major wrote it. `create` fills the folder of a new cluster, which
 * appears under its name only when it is complete and on disk. Without `create`, one that holds no cluster is refused
 * and left as it is.
 */
export async function openDataDirectory(
  path: string,
  create: ((folder: string) => Promise<void>) | undefined,
  patience?: Patience,
): Promise<DataDirectory> {
  const directory = resolve(path)
  const cluster = clusterIn(directory)
  if (create) await makeDirectory(directory)
  else if (!(await exists(directory))) throw noDatabase(directory)
  const unlock = await lock(directory, patience)
  try {
    if (!create && !(await exists(cluster))) throw noDatabase(directory)
    if (existsSync(cluster)) await checkVersion(directory, cluster)
    else if (create) await placeCluster(directory, cluster, create)
    // The engine makes its files readable and writable for all, so their folder must keep others out. The directory is
    // left as it is: others may need what else lies there, and it may belong to another user who lets this one write.
    await chmod(cluster, 0o700)
    await removeSnapshots(directory)
    return { cluster, makeSnapshot: () => makeSnapshot(directory), release: unlock }
  } catch (error) {
    await unlock()
    throw error
  }
}

/** Nobody else's folder begins so: those of processes that were killed are deleted. */
const SNAPSHOT = 'postgres.unfinished-copy-'

/** Its lock tells that its process lives: another may have the directory by now. */
async function makeSnapshot(directory: string): Promise<Snapshot> {
  const folder = await mkdtemp(join(directory, SNAPSHOT))
  const unlock = await lock(folder)
  const remove = () => rm(folder, { recursive: true, force: true }).then(unlock)
  return { copy: join(folder, 'postgres'), remove }
}

/** Deletes the snapshots that killed processes have left. */
async function removeSnapshots(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(SNAPSHOT)) continue
    const folder = join(directory, name)
    const unlock = await lock(folder).catch(() => undefined)
    if (unlock) await rm(folder, { recursive: true, force: true }).then(unlock)
  }
}

/** Whether a data directory holds a cluster. */
export const holdsCluster = (directory: string): boolean => existsSync(clusterIn(directory))

const clusterIn = (directory: string) => join(directory, 'postgres')

/** What a command says that needs a database and finds none. */
export const noDatabase = (place: string) =>
  new Error(`There is no database in ${place}. Set DATA_DIR to that of the server.`)

/** Rejects where the system does not say, for instance for a path inside a file. */
const exists = (path: string) =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return false
    },
  )

async function placeCluster(directory: string, cluster: string, create: (folder: string) => Promise<void>) {
  const unfinished = `${cluster}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  await create(unfinished)
  await writeFile(versionFile(directory), `${JSON.stringify({ postgres: POSTGRES_MAJOR })}\n`)
  await syncTree(unfinished)
  await rename(unfinished, cluster)
  await sync(versionFile(directory))
  await sync(directory)
}

function versionFile(directory: string): string {
  return join(directory, 'version.json')
}

async function checkVersion(directory: string, cluster: string): Promise<void> {
  const found = await recordedMajor(directory, cluster)
  if (found === POSTGRES_MAJOR) return
  throw new Error(
    `The data directory ${directory} was written by PostgreSQL ${found}; this version of Precedent needs PostgreSQL ` +
      `${POSTGRES_MAJOR} and has changed nothing. Make a backup with the version of Precedent that wrote it, ` +
      'and restore it into a new data directory with this version (docs/upgrading.md).',
  )
}

async function recordedMajor(directory: string, cluster: string): Promise<number> {
  try {
    const recorded: unknown = JSON.parse(await readFile(versionFile(directory), 'utf8'))
    if (typeof recorded === 'object' && recorded && 'postgres' in recorded) return Number(recorded.postgres)
  } catch {
    // A missing or damaged record: PostgreSQL has one of its own.
  }
  const recorded = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new Error(
      `DATA_DIR: the folder ${cluster} holds no database. Move it away, or set DATA_DIR to another directory.`,
    )
  })
  return Number(recorded)
}

/** How many files are synced at a time: each is open meanwhile, and a process may not have all of them open. */
const SYNCED_TOGETHER = 64

/** Syncs a folder and everything in it to the disk, concurrently: a disk does many syncs together. */
async function syncTree(folder: string): Promise<void> {
  const entries = ['', ...(await readdir(folder, { recursive: true }))].values()
  const syncOneByOne = async () => {
    for (const entry of entries) await sync(join(folder, entry))
  }
  await Promise.all(Array.from({ length: SYNCED_TOGETHER }, syncOneByOne))
}

async function sync(path: string): Promise<void> {
  // Windows cannot open a directory, and needs no sync to keep its entries.
  if (process.platform === 'win32' && (await stat(path)).isDirectory()) return
  const file = await open(path, process.platform === 'win32' ? 'r+' : 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
