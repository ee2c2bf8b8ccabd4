import { memoize, withFields } from '../../platform/bulk.ts'
import type { Late } from '../../platform/operation.ts'
import { HOLDS_METADATA } from '../../platform/record-size.ts'
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
export const FolderRecord = Type.Object(
  {
    ...fields,
    subFolders: Type.Optional(
      Type.Array(Type.Object(fields, HOLDS_METADATA), {
        description: 'Nested to the requested depth; absent where there are none.',
      }),
    ),
  },
  HOLDS_METADATA,
)
export type FolderRecord = Omit<Static<typeof FolderRecord>, 'subFolders'>

/** A folder with those below it; a large tree is read in batches as the caller takes it. */
export type FolderTree = FolderRecord & { subFolders?: Late<FolderTree>[] | AsyncIterable<FolderTree[]> }

/** A row of `folder`, read for its record together with the rows of its ancestors. */
export interface FolderRow {
  seq: number
  key: string
  id: string
  name: string | null
  parent_key: string | null
  access_type: FolderRecord['accessType'] | null
  inherit_access: boolean
  /** As JSON, which takes less memory than its objects. */
  metadata: string
  created_at: number
  updated_at: number
}

interface Surroundings {
  apiKey: string
  organizationId: string
}

/** Makes the records of rows, each when it is written. */
export interface FolderReader {
  record(row: FolderRow): FolderRecord
  /** About how many characters the JSON of the record takes. */
  estimatedBytes(row: FolderRow): number
}

/** `rows` must hold every ancestor of a row that is to be read. */
export function folderReader(rows: FolderRow[], { apiKey, organizationId }: Surroundings): FolderReader {
  const aboveOf = aboveReader(rows)
  return {
    record(row) {
      const { ancestors, accessType } = aboveOf(row)
      return withFields(JSON.parse(row.metadata) as Record<string, unknown>, {
        folderId: row.id,
        folderName: row.name ?? '',
        organizationId,
        parentFolderId: ancestors.at(-1) ?? ROOT,
        apiKey,
        createdAt: row.created_at,
        lastUpdated: row.updated_at,
        ancestors,
        accessType: (row.inherit_access ? accessType : row.access_type) ?? 'public',
        inheritAccessFromParent: row.inherit_access,
      })
    },
    estimatedBytes: (row) =>
      FIXED_BYTES +
      apiKey.length +
      organizationId.length +
      row.id.length +
      (row.name?.length ?? 0) +
      row.metadata.length +
      aboveOf(row).bytes,
  }
}

/** What the names of the fields and the short values of a record take. */
const FIXED_BYTES = 260

/** What a folder has from those above it. */
interface Above {
  ancestors: string[]
  /** About what the ancestors take as JSON. */
  bytes: number
  /** Of the nearest that does not inherit it. */
  accessType: FolderRow['access_type'] | undefined
}

/** Folders of one parent share what is above them: in a list of thousands it is made once for each parent. */
function aboveReader(rows: FolderRow[]): (row: FolderRow) => Above {
  const parentKeys = new Set<string | null>()
  for (const { parent_key } of rows) parentKeys.add(parent_key)
  // Not all rows: a large table would outlive the answer, and what it refers to with it.
  const parents = new Map<string, FolderRow>()
  for (const row of rows) if (parentKeys.has(row.key)) parents.set(row.key, row)
  const aboveChildrenOf = memoize((parent: FolderRow): Above => {
    const above = aboveOf(parent)
    return {
      ancestors: [...above.ancestors, parent.id],
      bytes: above.bytes + parent.id.length + 3,
      accessType: parent.inherit_access ? above.accessType : parent.access_type,
    }
  })
  function aboveOf({ parent_key }: FolderRow): Above {
    const parent = parent_key === null ? undefined : parents.get(parent_key)
    return parent ? aboveChildrenOf(parent) : TOP
  }
  return aboveOf
}

const TOP: Above = { ancestors: [ROOT], bytes: ROOT.length, accessType: undefined }
