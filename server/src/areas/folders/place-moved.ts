import { keyOf } from '../../platform/id.ts'
import { ROOT } from './folder.ts'

interface Placement {
  /** Why folders of the request are not moved, by id. */
  faults: Map<string, string>
  /** The new path of each folder whose path changes, by key, after all moves of the request. */
  moves: Map<string, string[]>
}

/**
 * Checks the moves of one request one after the other, each on the tree that the moves before it leave. A folder with
 * an earlier fault stays where it is.
 */
export function placeMoved(
  folders: ReadonlyMap<string, { parentFolderId?: string }>,
  existing: ReadonlyMap<string, string[]>,
  known: ReadonlyMap<string, string> = new Map(),
): Placement {
  const faults = new Map(known)
  const parents = parentsIn(existing)
  const moved = new Set<string>()

  const pathOf = (key: string) => [...chain(parents, key)].slice(1).reverse()
  const isBelow = (key: string, ancestor: string) => [...chain(parents, key)].includes(ancestor)

  for (const [id, { parentFolderId }] of folders) {
    if (known.has(id)) continue
    const key = keyOf(id)
    const parentKey = parentFolderId === undefined || parentFolderId === ROOT ? null : keyOf(parentFolderId)
    if (!existing.has(key)) faults.set(id, 'Folder does not exist.')
    else if (parentKey !== null && !existing.has(parentKey)) faults.set(id, 'Parent folder does not exist.')
    else if (parentKey !== null && isBelow(parentKey, key)) faults.set(id, 'A folder cannot be moved into itself.')
    else if (parentFolderId !== undefined) {
      parents.set(key, parentKey)
      moved.add(key)
    }
  }
  const paths = [...moved].map((key) => [key, pathOf(key)] as const)
  return { faults, moves: new Map(paths.filter(([key, path]) => `${path}` !== `${existing.get(key)}`)) }
}

/** The parent of every folder in the paths. */
function parentsIn(paths: ReadonlyMap<string, string[]>): Map<string, string | null> {
  const parents = new Map<string, string | null>()
  for (const [key, path] of paths) {
    for (const [i, folder] of [...path, key].entries()) parents.set(folder, path[i - 1] ?? null)
  }
  return parents
}

/** Yields the folder and those above it, upward. */
function* chain(parents: ReadonlyMap<string, string | null>, key: string): Generator<string> {
  for (let at: string | null = key; at !== null; at = parents.get(at) ?? null) yield at
}
