import { keyOf } from '../../platform/id.ts'
import { MAX_LEVEL, ROOT } from './folder.ts'

type Place = { path: string[] } | { fault: string }

/** Where each new folder goes, or why it cannot: below a folder that exists or below another new one. */
export function placeNew(
  folders: ReadonlyMap<string, { parentFolderId?: string }>,
  existing: ReadonlyMap<string, string[]>,
): Map<string, Place> {
  const places = new Map<string, Place>()

  function place(id: string, folder: { parentFolderId?: string }): Place {
    const known = places.get(id)
    if (known) return known
    // Set while the parents are placed: to reach it again means a cycle.
    places.set(id, { fault: 'A folder cannot be inside itself.' })
    const found = placeBelow(id, folder.parentFolderId ?? ROOT)
    places.set(id, found)
    return found
  }

  function placeBelow(id: string, parentId: string): Place {
    if (id === ROOT) return { fault: `The id ${ROOT} stands for the top level.` }
    if (existing.has(keyOf(id))) return { fault: 'Folder already exists.' }
    if (parentId === ROOT) return { path: [] }
    const parentKey = keyOf(parentId)
    const path = existing.get(parentKey) ?? pathOfNew(parentId)
    if (!Array.isArray(path)) return path
    if (path.length + 2 > MAX_LEVEL) return { fault: `Folders nest at most ${MAX_LEVEL} levels deep.` }
    return { path: [...path, parentKey] }
  }

  function pathOfNew(parentId: string): string[] | { fault: string } {
    const parent = folders.get(parentId)
    if (!parent) return { fault: 'Parent folder does not exist.' }
    const found = place(parentId, parent)
    return 'path' in found ? found.path : { fault: `Parent folder was not added: ${found.fault}` }
  }

  return new Map([...folders].map(([id, folder]) => [id, place(id, folder)]))
}
