import { fdatasyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Emscripten = NonNullable<Parameters<NodeFS['init']>[1]>

/** The parts of Emscripten's file system on Node's that a file system above it may replace. */
export interface NodeFileOperations {
  realPath(node: FileNode): string
  stream_ops: {
    fsync?(stream: OpenFile): number
    write(stream: OpenFile, buffer: Uint8Array, offset: number, length: number, position: number): number
  }
}
export type FileNode = object
export interface OpenFile {
  nfd: number
  node: FileNode
}

/** WASI's number for an input or output error. */
export const EIO = 29

/** Node's file system for PGlite, with an fsync that reaches the disk. PGlite's own fsync does nothing. */
export class DurableNodeFS extends NodeFS {
  override async init(pg: PGlite, options: Emscripten): Promise<{ emscriptenOpts: Emscripten }> {
    const { emscriptenOpts } = await super.init(pg, options)
    const preRun: Emscripten['preRun'] = [
      ...(emscriptenOpts.preRun ?? []),
      (module) =>
        this.prepare((module.FS as unknown as { filesystems: { NODEFS: NodeFileOperations } }).filesystems.NODEFS),
    ]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }

  protected prepare(operations: NodeFileOperations): void {
    operations.stream_ops.fsync = ({ nfd }) => {
      try {
        fdatasyncSync(nfd)
        return 0
      } catch {
        // Whatever the error: one that Emscripten has no number for would pass as success.
        return EIO
      }
    }
  }
}
