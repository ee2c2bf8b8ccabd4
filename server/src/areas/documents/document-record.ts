import { withFields } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, type Sql, sql } from '../../platform/db/db.ts'
import { holdsText } from '../../platform/db/find-by-text.ts'
import { type Cut, withinBytes } from '../../platform/page.ts'
import { HOLDS_METADATA } from '../../platform/record-size.ts'
import { type Static, Type } from '../../platform/schema.ts'
import { AccessType } from '../folders/access-type.ts'
import { documentAccessType } from './access-type.ts'
import { type DocumentMatch, matching } from './document-filter.ts'

/** The document record of the API, with the custom metadata. */
export const DocumentRecord = Type.Object(
  {
    id: Type.String(),
    documentName: Type.String(),
    disabled: Type.Boolean(),
    accessType: AccessType,
    folderId: Type.Optional(Type.String({ description: 'The folder that it is in; absent at the top level.' })),
  },
  HOLDS_METADATA,
)

interface Row extends Cut {
  seq: number
  id: string
  name: string | null
  disabled: boolean
  metadata: Record<string, unknown>
  access_type: AccessType
  folder_id: string | null
}

interface Selection extends DocumentMatch {
  organizationKey: string
  /** Undefined means all. */
  keys?: string[] | undefined
  /** Part of the name or the id, in any case. */
  searchKey?: string | undefined
  /** The position (`seq`) that the page comes after. */
  after: number
  limit: number
  maxBytes: number
}

/**
 * Reads documents with their positions, in the order in which they were added, cut by bytes. Unknown keys are left out.
 */
export async function readDocumentRecords(db: Db, tenant: ApiKeyTenant, selection: Selection) {
  const { organizationKey, after, limit, maxBytes } = selection
  // The index of the order holds the key as text, the other indexes as uuid.
  const ordered = !selection.keys && !selection.folderKey
  const inOrganization = ordered
    ? sql`d.organization_key::text = ${organizationKey}`
    : sql`d.organization_key = ${organizationKey}`
  const documents = sql`
    select d.size, d.seq, d.id, d.name, d.disabled, d.metadata, ${documentAccessType} as access_type,
      (
        select f.id
        from folder f
        where f.api_key = d.api_key and f.organization_key = d.organization_key and f.key = d.folder_key
      ) as folder_id
    from ${selection.keys ? byKey(tenant, organizationKey, selection.keys) : sql`document d`}
    where d.api_key = ${tenant.apiKey} and ${inOrganization} and d.seq > ${after}::bigint
      ${matching(selection)} ${named(selection)}
    order by d.seq
    limit ${limit}`
  const rows = await db.query<Row>(withinBytes(documents, sql`seq`, maxBytes))
  return rows.map((row) => ({ seq: row.seq, fetched: row.fetched, record: toRecord(row) }))
}

// The lateral join forces one look-up per key, whatever statistics the table has.
const byKey = (tenant: ApiKeyTenant, organizationKey: string, keys: string[]): Sql => sql`
  unnest(${[...new Set(keys)]}::uuid[]) as u (key)
  cross join lateral (
    select *
    from document
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and key = u.key
    offset 0
  ) d`

const named = ({ searchKey }: Selection): Sql =>
  searchKey === undefined ? empty : sql`and ${holdsText([sql`d.name`, sql`d.id`], searchKey)}`

function toRecord({ id, name, disabled, metadata, access_type, folder_id }: Row): Static<typeof DocumentRecord> {
  const own = { id, documentName: name ?? '', disabled, accessType: access_type }
  return withFields(metadata, folder_id === null ? own : { folderId: folder_id, ...own })
}
