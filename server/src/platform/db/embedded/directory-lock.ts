import { createHash, randomUUID } from 'node:crypto'
import { closeSync, openSync, statSync } from 'node:fs'
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createConnection, createServer, type ListenOptions } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

type Unlock = () => Promise<void>

/** How long to wait for a process that has the directory open and may be ending, and whom to tell that it waits. */
export interface Patience {
  ms: number
  onWait: () => void
}

const NONE: Patience = { ms: 0, onWait: () => {} }
/** How long a lock may stay after its end: a child that has not yet become its own program holds the socket too. */
const LINGERS_MS = 500
const AGAIN_MS = 50

/**
 * Locks a directory against other processes, and against a second lock by this one. Rejects with `DirectoryInUse` when
 * whoever has it does not let go within the patience, which is half a second at least; at once if this user may not ask
 * whether there is anybody.
 */
export async function lock(directory: string, patience = NONE, platform: string = process.platform): Promise<Unlock> {
  const since = performance.now()
  let isTold = false
  for (;;) {
    try {
      return await (platform === 'linux' ? lockBySockets(directory) : lockByPidFile(directory))
    } catch (error) {
      const waited = performance.now() - since
      if (!(error instanceof DirectoryInUse) || waited >= Math.max(patience.ms, LINGERS_MS)) throw error
      if (waited >= LINGERS_MS && !isTold) {
        isTold = true
        patience.onWait()
      }
    }
    // At different times, so that of two that find each other one goes on.
    await delay(AGAIN_MS * (1 + Math.random()))
  }
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
  const unlock = await takeSocket(address)
  try {
    const unlockFile = unlock && (await takeSocketIn(directory))
    if (unlockFile) return () => unlockFile().then(unlock)
    throw refusal(directory, '')
  } catch (error) {
    await unlock?.()
    throw error
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
  try {
    for (const name of await readdir(directory)) {
      if (name === own || !/^lock-.*\.socket$/.test(name)) continue
      const answer = await ask(pathOf(name))
      if (answer === 'EACCES') throw mayNotAsk(join(directory, name))
      if (answer !== 'ECONNREFUSED' && answer !== 'ENOENT') {
        await unlock()
        return undefined
      }
      await rm(join(directory, name), { force: true })
    }
    return unlock
  } catch (error) {
    await unlock()
    throw error
  }
}

/** What a connection to a socket ends with: the code of its error, or undefined where a process listens. */
function ask(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(path, () => {
      socket.destroy()
      resolve(undefined)
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
  })
}

function mayNotAsk(path: string): Error {
  const { uid } = statSync(path)
  return new Error(
    `DATA_DIR: ${path} belongs to the user ${uid}, and this user, ${process.geteuid?.()}, may not write there. So it ` +
      'is not known whether another process has the directory open. If none has, delete this file.',
  )
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
