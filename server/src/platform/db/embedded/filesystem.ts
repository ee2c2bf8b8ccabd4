import { fdatasync, fdatasyncSync } from 'node:fs'
import { promisify } from 'node:util'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Emscripten = NonNullable<Parameters<NodeFS['init']>[1]>

/** The parts of Emscripten's file system on Node's that a file system above it may replace. */
export interface NodeFileOperations {
  realPath(node: FileNode): string
  node_ops: {
    setattr(node: FileNode, attributes: object): void
    rename(node: FileNode, folder: FileNode, name: string): void
    unlink(folder: FileNode, name: string): void
  }
  stream_ops: {
    close(stream: OpenFile): void
    fsync?(stream: OpenFile): number
    setattr(stream: OpenFile, attributes: object): void
    write(stream: OpenFile, buffer: Uint8Array, offset: number, length: number, position: number): number
  }
}
type FileNode = object
interface OpenFile {
  nfd: number
  node: FileNode
  /** Whether it is a file of the write-ahead log; set at its first use. */
  isLog?: boolean
}

/** WASI's number for an input or output error. */
const EIO = 29

const syncSoon = promisify(fdatasync)

/**
 * Node's file system for PGlite, with an fsync that reaches the disk. PGlite's own fsync does nothing.
 *
 * Postgres waits for no sync of its log: `sync` makes the log durable while Postgres works on. Postgres's rule, that
 * the log is durable before what it describes, holds all the same. Whatever changes another file first waits for the
 * log here.
 */
export class DurableNodeFS extends NodeFS {
  /** Files of the log that Postgres has asked to sync, and those being synced. */
  #asked = new Set<number>()
  #inSync = new Set<number>()

  override async init(pg: PGlite, options: Emscripten): Promise<{ emscriptenOpts: Emscripten }> {
    const { emscriptenOpts } = await super.init(pg, options)
    const preRun: Emscripten['preRun'] = [
      ...(emscriptenOpts.preRun ?? []),
      (module) =>
        this.prepare((module.FS as unknown as { filesystems: { NODEFS: NodeFileOperations } }).filesystems.NODEFS),
    ]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }

  /** Whether everything that Postgres has asked to sync is on the disk. */
  get isSynced(): boolean {
    return this.#asked.size + this.#inSync.size === 0
  }

  /** Makes durable what Postgres has asked to sync so far. Call it again only after it has ended. */
  async sync(): Promise<void> {
    const files = this.#asked
    this.#asked = new Set()
    this.#inSync = files
    await Promise.all([...files].map((nfd) => this.#syncWhileOpen(nfd, files)))
    files.clear()
  }

  async #syncWhileOpen(nfd: number, files: Set<number>): Promise<void> {
    try {
      await this.syncFileSoon(nfd)
    } catch (error) {
      // What was closed meanwhile was synced before.
      if (files.has(nfd)) throw error
    }
  }

  protected syncFileSoon(nfd: number): Promise<void> {
    return syncSoon(nfd)
  }

  protected syncFile(nfd: number): void {
    fdatasyncSync(nfd)
  }

  protected prepare({ realPath, node_ops, stream_ops }: NodeFileOperations): void {
    const isLog = (stream: OpenFile) => {
      stream.isLog ??= realPath(stream.node).includes('/pg_wal/')
      return stream.isLog
    }
    const { close, write } = stream_ops
    stream_ops.write = (stream, buffer, offset, length, position) => {
      // New pages of a table are zeros first, and say nothing yet.
      if (!this.isSynced && !isLog(stream) && !isZero(buffer, offset, length)) this.#syncLog()
      return write(stream, buffer, offset, length, position)
    }
    stream_ops.fsync = (stream) => {
      if (isLog(stream)) {
        this.#asked.add(stream.nfd)
        return 0
      }
      try {
        this.#syncLog()
        this.syncFile(stream.nfd)
        return 0
      } catch {
        // Whatever the error: one that Emscripten has no number for would pass as success.
        return EIO
      }
    }
    stream_ops.close = (stream) => {
      if (this.#asked.has(stream.nfd) || this.#inSync.has(stream.nfd)) this.#syncLog()
      close(stream)
    }
    const afterLog =
      <Args extends unknown[]>(change: (...args: Args) => void) =>
      (...args: Args) => {
        this.#syncLog()
        change(...args)
      }
    stream_ops.setattr = afterLog(stream_ops.setattr)
    node_ops.setattr = afterLog(node_ops.setattr)
    node_ops.rename = afterLog(node_ops.rename)
    node_ops.unlink = afterLog(node_ops.unlink)
  }

  /** Makes the log durable now. */
  #syncLog(): void {
    for (const nfd of new Set([...this.#asked, ...this.#inSync])) this.syncFile(nfd)
    this.#asked.clear()
    this.#inSync.clear()
  }
}

const ZEROS = Buffer.alloc(1024 * 1024)

/** Whether all bytes are zero. Of more than a mebibyte it says false. */
function isZero(buffer: Uint8Array, offset: number, length: number): boolean {
  const bytes = Buffer.from(buffer.buffer, buffer.byteOffset + offset, length)
  return length <= ZEROS.length && bytes.equals(ZEROS.subarray(0, length))
}
