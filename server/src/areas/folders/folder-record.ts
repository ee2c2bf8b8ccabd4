import { memoize } from '../../platform/bulk.ts'
import { type Static, Type } from '../../platform/schema.ts'
import { AccessType } from './access-type.ts'
import { ROOT } from './folder.ts'

const fields = {
  folderId: Type.String(),
  folderName: Type.String(),
  organizationId: Type.String(),
  parentFolderId: Type.String({ description: `\`${ROOT}\` for a top-level folder.` }),
  apiKey: Type.String(),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  lastUpdated: Type.Integer({ description: 'Epoch milliseconds.' }),
  ancestors: Type.Array(Type.String(), { description: `Chain of parents, from \`${ROOT}\` to the direct parent.` }),
  accessType: AccessType,
  inheritAccessFromParent: Type.Boolean(),
}

/** The folder record of the API, with the custom metadata. */
export const FolderRecord = Type.Object({
  ...fields,
  subFolders: Type.Optional(
    Type.Array(Type.Object(fields), { description: 'Nested to the requested depth; absent where there are none.' }),
  ),
})
export type FolderRecord = Omit<Static<typeof FolderRecord>, 'subFolders'>

/** A folder with those below it; a large tree is read in batches as the caller takes it. */
export type FolderTree = FolderRecord & { subFolders?: FolderTree[] | AsyncIterable<FolderTree[]> }

/** A row of `folder`, read for its record together with the rows of its ancestors. */
export interface FolderRow {
  seq: number
  key: string
  id: string
  name: string | null
  parent_key: string | null
  access_type: FolderRecord['accessType'] | null
  inherit_access: boolean
  metadata: Record<string, unknown>
  created_at: number
  updated_at: number
}

interface Surroundings {
  apiKey: string
  organizationId: string
}

/** Returns a function from a row to its record. `rows` must hold every ancestor of such a row. */
export function toFolderRecord(rows: FolderRow[], surroundings: Surroundings): (row: FolderRow) => FolderRecord {
  const aboveOf = aboveReader(rows)
  return (row) => {
    const { ancestors, accessType } = aboveOf(row)
    return {
      ...row.metadata,
      folderId: row.id,
      folderName: row.name ?? '',
      organizationId: surroundings.organizationId,
      parentFolderId: ancestors.at(-1) ?? ROOT,
      apiKey: surroundings.apiKey,
      createdAt: row.created_at,
      lastUpdated: row.updated_at,
      ancestors,
      accessType: (row.inherit_access ? accessType : row.access_type) ?? 'public',
      inheritAccessFromParent: row.inherit_access,
    }
  }
}

/** What a folder has from those above it. */
interface Above {
  ancestors: string[]
  /** Of the nearest that does not inherit it. */
  accessType: FolderRow['access_type'] | undefined
}

/** Folders of one parent share what is above them: in a list of thousands it is made once for each parent. */
function aboveReader(rows: FolderRow[]): (row: FolderRow) => Above {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const aboveChildrenOf = memoize((parent: FolderRow): Above => {
    const above = aboveOf(parent)
    return {
      ancestors: [...above.ancestors, parent.id],
      accessType: parent.inherit_access ? above.accessType : parent.access_type,
    }
  })
  function aboveOf({ parent_key }: FolderRow): Above {
    const parent = parent_key === null ? undefined : byKey.get(parent_key)
    return parent ? aboveChildrenOf(parent) : TOP
  }
  return aboveOf
}

const TOP: Above = { ancestors: [ROOT], accessType: undefined }
