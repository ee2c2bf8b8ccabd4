import { createHash, randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { chmod, link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createConnection, createServer, type ListenOptions } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeDirectory } from '../../settings/make-directory.ts'

/** The PostgreSQL major version whose files this build reads and writes. */
export const POSTGRES_MAJOR = 18

/** A data directory that only this process uses, until `release()`. */
export interface DataDirectory {
  /** The folder of the PostgreSQL cluster inside. */
  readonly cluster: string
  /** Where a snapshot of it may be laid for a while. Taking the directory deletes what a killed process left there. */
  readonly snapshot: string
  release(): Promise<void>
}

/**
 * Takes a data directory for this process: creates it (0700) if missing, and locks it. Refuses it with a clear message
 * if another process uses it or another PostgreSQL major wrote it. `create` fills the folder of a new cluster, which
 * appears under its name only when it is complete and on disk. Without `create`, one that holds no cluster is refused
 * and left as it is.
 */
export async function openDataDirectory(
  path: string,
  create: ((folder: string) => Promise<void>) | undefined,
): Promise<DataDirectory> {
  const directory = resolve(path)
  const cluster = clusterIn(directory)
  if (create) await makeDirectory(directory)
  else if (!(await exists(directory))) throw noDatabase(directory)
  const unlock = await lock(directory)
  try {
    if (!create && !(await exists(cluster))) throw noDatabase(directory)
    // The engine makes its files readable and writable for all, so the directory must keep others out.
    await chmod(directory, 0o700)
    if (existsSync(cluster)) await checkVersion(directory, cluster)
    else if (create) await placeCluster(directory, cluster, create)
    const snapshot = join(directory, 'snapshot')
    await rm(snapshot, { recursive: true, force: true })
    return { cluster, snapshot, release: unlock }
  } catch (error) {
    await unlock()
    throw error
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
  return Number(await readFile(join(cluster, 'PG_VERSION'), 'utf8'))
}

/** Syncs a folder and everything in it to the disk, concurrently: a disk does a thousand syncs together. */
async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true })
  await Promise.all(['', ...entries].map((entry) => sync(join(folder, entry))))
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

type Unlock = () => Promise<void>

/** Locks a directory against other processes, and against a second lock by this one. */
export function lock(directory: string, platform: string = process.platform): Promise<Unlock> {
  return platform === 'linux' ? lockBySockets(directory) : lockByPidFile(directory)
}

/** Another process has the directory open. */
export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse'
}

function refusal(directory: string, hint: string): Error {
  return new DirectoryInUse(
    `The data directory ${directory} is in use by another process, and two would destroy it. Stop the other one, give ` +
      `this one its own DATA_DIR, or let both use a PostgreSQL server by DATABASE_URL.${hint}`,
  )
}

/** How long a socket may stay taken after its end: a child that has not yet become its own program holds it too. */
const LINGERS_MS = 500
const AGAIN_MS = 50

/**
 * Two sockets, which the kernel frees when the process ends, for any reason: an abstract one, and for the processes of
 * other containers, which do not see that, one in the directory.
 */
async function lockBySockets(directory: string): Promise<Unlock> {
  // Device and inode, because one directory can have several paths (symbolic links, bind mounts).
  const { dev, ino } = statSync(directory, { bigint: true })
  const name = createHash('sha512').update(`${dev}:${ino}`).digest('hex')
  // The maximum length of a socket name: some versions of Node pad shorter ones, others do not.
  const address = `\0precedent-${name}`.slice(0, 107)
  // At different times, so that of two that find each other one goes on.
  for (const since = performance.now(); ; await delay(AGAIN_MS * (1 + Math.random()))) {
    const unlock = await takeSocket(address)
    const unlockFile = unlock && (await takeSocketIn(directory))
    if (unlockFile) return () => unlockFile().then(unlock)
    await unlock?.()
    if (performance.now() - since >= LINGERS_MS) throw refusal(directory, '')
  }
}

/**
 * Listens on a socket of its own in a directory, and then asks those of others. So of two that do so at once, one finds
 * the other. What a process has left that is gone is deleted. Undefined if another one is there.
 */
async function takeSocketIn(directory: string): Promise<Unlock | undefined> {
  // By its number, because the path of a socket has at most 107 bytes.
  const folder = openSync(directory, 'r')
  const pathOf = (name: string) => `/proc/self/fd/${folder}/${name}`
  const own = `lock-${randomUUID()}.socket`
  // Whoever may enter the directory may ask. Some file systems hold no sockets.
  const forAll = { readableAll: true, writableAll: true }
  const close = await takeSocket(pathOf(own), forAll).catch(() => undefined)
  const unlock = async () => {
    await close?.()
    closeSync(folder)
  }
  for (const name of await readdir(directory)) {
    if (name === own || !/^lock-.*\.socket$/.test(name)) continue
    if (await isListening(pathOf(name))) {
      await unlock()
      return undefined
    }
    await rm(join(directory, name), { force: true })
  }
  return unlock
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'))
  })
}

/** Undefined if the socket is taken. */
function takeSocket(path: string, options: ListenOptions = {}): Promise<Unlock | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    server.listen({ path, ...options }, () => {
      server.unref()
      resolve(() => new Promise((closed) => server.close(() => closed())))
    })
  })
}

/** A file with the id of the process that holds the directory; the file of a dead process is replaced. */
async function lockByPidFile(directory: string): Promise<Unlock> {
  const file = join(directory, 'lock')
  const own = `${file}.${process.pid}.${randomUUID()}`
  for (let attempt = 1; ; attempt++) {
    try {
      // Linked, not written in place: the file is never visible without its content.
      await writeFile(own, String(process.pid))
      await link(own, file)
      return () => rm(file, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    } finally {
      await rm(own, { force: true })
    }
    const holder = Number(await readFile(file, 'utf8').catch(() => ''))
    if (attempt > 1 || isAlive(holder)) throw refusal(directory, ` (Process ${holder}, by ${file}.)`)
    await rm(file, { force: true })
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
