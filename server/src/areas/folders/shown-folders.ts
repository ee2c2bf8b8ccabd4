import { MadeLate } from '../../platform/operation.ts'
import type { FolderReader, FolderRow, FolderTree } from './folder-record.ts'

/** Rows by the key of their parent. */
export type Children = ReadonlyMap<string | null, FolderRow[]>

/** Folders of an answer: a flat list of rows, or with `children` trees of them. */
export class ShownFolders {
  readonly #reader: FolderReader
  readonly #children: Children
  readonly #bytes = new Map<FolderRow[], number>()

  constructor(reader: FolderReader, children: Children = new Map()) {
    this.#reader = reader
    this.#children = children
  }

  /** The folder with those below it, each made when it is written. */
  show(row: FolderRow): MadeLate<FolderTree> {
    return new ShownFolder(this, row)
  }

  make(row: FolderRow): FolderTree {
    const record = this.#reader.record(row)
    const below = this.#children.get(row.key)
    return below ? { ...record, subFolders: below.map((child) => this.show(child)) } : record
  }

  estimatedBytes(row: FolderRow): number {
    const below = this.#children.get(row.key)
    return this.#reader.estimatedBytes(row) + (below ? this.#bytesOf(below) : 0)
  }

  #bytesOf(siblings: FolderRow[]): number {
    const known = this.#bytes.get(siblings)
    if (known !== undefined) return known
    const bytes = siblings.reduce((sum, row) => sum + this.estimatedBytes(row) + 1, 0)
    this.#bytes.set(siblings, bytes)
    return bytes
  }
}

class ShownFolder extends MadeLate<FolderTree> {
  readonly #folders: ShownFolders
  readonly #row: FolderRow

  constructor(folders: ShownFolders, row: FolderRow) {
    super()
    this.#folders = folders
    this.#row = row
  }

  get estimatedBytes(): number {
    return this.#folders.estimatedBytes(this.#row)
  }

  toJSON(): FolderTree {
    return this.#folders.make(this.#row)
  }
}
