import { groupBy } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, type Sql, sql } from '../../platform/db/db.ts'
import { holdsText } from '../../platform/db/find-by-text.ts'
import { keyOf } from '../../platform/id.ts'
import type { Late, MadeLate } from '../../platform/operation.ts'
import { type Cut, pageOf, withinBytes } from '../../platform/page.ts'
import { yieldToEventLoop } from '../../platform/turns/yield.ts'
import { childrenOf } from './folder-path.ts'
import { type FolderReader, type FolderRecord, type FolderRow, type FolderTree, folderReader } from './folder-record.ts'
import { type Children, ShownFolders } from './shown-folders.ts'

/** What is read, and for whom. */
interface Reading {
  db: Db
  tenant: ApiKeyTenant
  organizationId: string
  organizationKey: string
  /** The most bytes of metadata that are read at a time. */
  maxBytes: number
}

interface Listing {
  rootFoldersOnly: boolean
  /** Part of the name or the id, in any case. */
  searchKey: string | undefined
  /** The position (`seq`) that the page comes after. */
  after: number
  pageSize: number
}

/** A folder with its position in the list. */
export interface ListedFolder {
  seq: number
  record: MadeLate<FolderRecord>
}

const PLACE_COLUMNS = sql`f.seq, f.key, f.id, f.name, f.parent_key, f.access_type, f.inherit_access, f.created_at,
  f.updated_at`

/** Reads a page of folders in the order in which they were added, limited by number and by bytes. */
export async function readFolderPage(reading: Reading, { rootFoldersOnly, searchKey, after, pageSize }: Listing) {
  const { db, tenant, organizationKey, maxBytes } = reading
  const listed = sql`
    select f.*
    from folder f
    where f.api_key = ${tenant.apiKey} and f.organization_key::text = ${organizationKey} and f.seq > ${after}::bigint
      ${rootFoldersOnly ? sql`and f.parent_key is null` : empty}
      ${searchKey === undefined ? empty : sql`and ${holdsText([sql`f.name`, sql`f.id`], searchKey)}`}
    order by f.seq
    limit ${pageSize + 1}`
  const rows = await db.query<FolderRow & Cut & { wanted: boolean }>(sql`
    with wanted as (${withinBytes(listed, sql`seq`, maxBytes)})
    select ${PLACE_COLUMNS}, f.metadata::text as metadata, f.fetched, true as wanted
    from wanted f
    where f.api_key = ${tenant.apiKey}
    union all
    ${above(tenant.apiKey, organizationKey, sql`0`)}
    order by seq`)
  const folders = new ShownFolders(folderReader(rows, { ...reading, apiKey: tenant.apiKey }))
  const found = rows.filter((row) => row.wanted)
  const { page, last } = pageOf(found, pageSize)
  const toListed = (row: FolderRow): ListedFolder => ({ seq: row.seq, record: folders.show(row) })
  return { page: page.map(toListed), last: last && toListed(last) }
}

/** The folders above those of `wanted`, without their metadata; `more` stands for the column that a list adds. */
const above = (apiKey: string, organizationKey: string, more: Sql): Sql => sql`
  select ${PLACE_COLUMNS}, '{}'::text, ${more}, false
  from (select distinct unnest(path) as key from wanted) a
  cross join lateral (
    select f.*
    from folder f
    where f.api_key = ${apiKey} and f.organization_key = ${organizationKey} and f.key = a.key
    offset 0
  ) f`

/**
 * Reads a folder with those below it, nested to `maxDepth`; undefined if there is none. Where their metadata exceeds
 * the limit, it is read level by level as the caller takes it.
 */
export async function readFolderTree(
  reading: Reading,
  folderId: string,
  maxDepth: number,
): Promise<Late<FolderRecord> | undefined> {
  const { db, tenant, organizationKey, maxBytes } = reading
  const rows = await db.query<FolderRow & { wanted: boolean; isTooLarge: boolean }>(sql`
    with recursive wanted as (${nested(tenant.apiKey, organizationKey, keyOf(folderId), maxDepth)})
    select ${PLACE_COLUMNS},
      case when sum(f.size) over () <= ${maxBytes}::bigint then f.metadata::text else '{}' end as metadata,
      sum(f.size) over () > ${maxBytes}::bigint as "isTooLarge", true as wanted
    from wanted f
    where f.api_key = ${tenant.apiKey}
    union all
    ${above(tenant.apiKey, organizationKey, sql`false`)}
    order by seq`)
  // The driver read them in this turn of the event loop.
  if (rows.length > MANY) await yieldToEventLoop()
  const reader = folderReader(rows, { ...reading, apiKey: tenant.apiKey })
  const found = rows.filter((row) => row.wanted)
  const top = found.find(({ key }) => key === keyOf(folderId))
  if (!top) return undefined
  const children = groupBy(found, ({ parent_key }) => parent_key)
  if (!top.isTooLarge) return new ShownFolders(reader, children).show(top)
  for await (const [tree] of lazily(reading, [top], children, reader)) return tree
  return undefined
}

const nested = (apiKey: string, organizationKey: string, key: string, maxDepth: number): Sql => sql`
  select f.*, 0 as depth
  from folder f
  where f.api_key = ${apiKey} and f.organization_key = ${organizationKey} and f.key = ${key}
  union all
  select f.*, t.depth + 1
  from wanted t
  cross join lateral (${childrenOf(apiKey, organizationKey)}) f
  where t.depth < ${maxDepth}::int`

/** So many rows take a turn of the event loop of their own. */
const MANY = 500

/** Folders with their metadata and those below them, in batches that hold no more bytes than the limit. */
async function* lazily(
  reading: Reading,
  rows: FolderRow[],
  children: Children,
  reader: FolderReader,
): AsyncGenerator<FolderTree[]> {
  const { db, tenant, organizationKey, maxBytes } = reading
  for (let start = 0; start < rows.length; ) {
    const wanted = sql`
      select k.position as seq, f.metadata::text as metadata, f.size
      from unnest(${rows.slice(start).map(({ key }) => key)}::uuid[]) with ordinality as k (key, position)
      join folder f on f.api_key = ${tenant.apiKey} and f.organization_key = ${organizationKey} and f.key = k.key`
    const read = await db.query<{ seq: number; metadata: FolderRow['metadata'] }>(
      withinBytes(wanted, sql`seq`, maxBytes),
    )
    yield read.flatMap(({ seq, metadata }) => {
      const row = rows[start + seq - 1]
      if (!row) return []
      const below = children.get(row.key)
      const record = reader.record({ ...row, metadata })
      return [below ? { ...record, subFolders: lazily(reading, below, children, reader) } : record]
    })
    // Folders that were deleted meanwhile are left out.
    start += read.at(-1)?.seq ?? rows.length
  }
}
