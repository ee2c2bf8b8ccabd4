import { empty, type Sql, sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { requireOrganization } from '../organizations/organization.ts'
import { readOptions } from '../workspaces/api-key-options.ts'
import { MAX_LEVEL, missingFolder } from './folder.ts'
import { childrenOf } from './folder-path.ts'
import { FolderRecord, type FolderRow, toFolderRecord, toFolderTree } from './folder-record.ts'

const PATH = '/v2/organizations/folders/get'

/** Lists all folders of an organization, or returns one folder with those below it. */
export const getFolders = operation({
  path: PATH,
  twin: '/v1/organizations/folders/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get folders',
  description: 'Without `folderId` all folders, flat; with it that folder, its `subFolders` nested to `maxDepth`.',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    folderId: Type.Optional(identifier('One folder.')),
    maxDepth: Type.Optional(Type.Integer({ minimum: 0, description: 'Levels of `subFolders`; default 1.' })),
    rootFoldersOnly: Type.Optional(Type.Boolean({ description: 'Without `folderId`: top-level folders only.' })),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: all on one page.' })),
    pageToken: Type.Optional(Type.String({ description: 'From the page before.' })),
  }),
  output: Type.Array(FolderRecord),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Folder(s) retrieved successfully.',
  page: 'pageToken',
}).run(async ({ db, tenant, input, secrets, pageTokens }) => {
  const required = requireOrganization(db, tenant, input.organizationId)
  // A disabled feature is reported before a missing organization.
  required.catch(() => {})
  const options = await readOptions(db, tenant, secrets)
  if (!options.advancedQueries) {
    throw new ApiError('FAILED_PRECONDITION', 'Advanced queries are not enabled for this API key.')
  }
  const organization = await required
  const { organizationId, folderId, maxDepth = 1, rootFoldersOnly = false, pageSize, pageToken } = input
  const scope = { operation: PATH, tenant: tenant.apiKey, filters: { organizationId, rootFoldersOnly } }
  const after = pageToken === undefined ? 0 : Number(pageTokens.open(scope, pageToken))
  const wanted =
    folderId === undefined
      ? listed(tenant.apiKey, organization.key, { rootFoldersOnly, after, limit: pageSize && pageSize + 1 })
      : nested(tenant.apiKey, organization.key, keyOf(folderId), Math.min(maxDepth, MAX_LEVEL))
  const all = folderId === undefined && pageSize === undefined && pageToken === undefined
  const rows = await db.query<FolderRow & { wanted: boolean }>(sql`
    with recursive wanted as (${wanted})
    select ${COLUMNS}, true as wanted
    from wanted f
    where f.api_key = ${tenant.apiKey}
    ${all ? empty : sql`union all ${above(tenant.apiKey, organization.key)}`}
    order by seq`)
  const { defaultDocumentAccessType: defaultAccessType } = options
  const toRecord = toFolderRecord(rows, { apiKey: tenant.apiKey, organizationId, defaultAccessType })
  const found = rows.filter((row) => row.wanted)
  if (folderId !== undefined) {
    const top = found.find(({ key }) => key === keyOf(folderId))
    if (!top) throw missingFolder(folderId)
    return { data: [toFolderTree(top, found, toRecord)], next: null }
  }
  const page = found.slice(0, pageSize)
  return {
    data: page.map(toRecord),
    next: found.length > page.length ? pageTokens.seal(scope, page.at(-1)?.seq) : null,
  }
})

interface Listing {
  rootFoldersOnly: boolean
  after: number
  limit: number | undefined
}

const COLUMNS = sql`f.seq, f.key, f.id, f.name, f.parent_key, f.path, f.access_type, f.inherit_access, f.metadata,
  f.created_at, f.updated_at`

const listed = (apiKey: string, organizationKey: string, { rootFoldersOnly, after, limit }: Listing): Sql => sql`
  select f.*
  from folder f
  where f.api_key = ${apiKey} and f.organization_key::text = ${organizationKey} and f.seq > ${after}::bigint
    ${rootFoldersOnly ? sql`and f.parent_key is null` : empty}
  order by f.seq
  limit ${limit ?? null}::bigint`

const nested = (apiKey: string, organizationKey: string, key: string, maxDepth: number): Sql => sql`
  select f.*, 0 as depth
  from folder f
  where f.api_key = ${apiKey} and f.organization_key = ${organizationKey} and f.key = ${key}
  union all
  select f.*, t.depth + 1
  from wanted t
  cross join lateral (${childrenOf(apiKey, organizationKey)}) f
  where t.depth < ${maxDepth}::int`

const above = (apiKey: string, organizationKey: string): Sql => sql`
  select ${COLUMNS}, false
  from (select distinct unnest(path) as key from wanted) a
  cross join lateral (
    select f.*
    from folder f
    where f.api_key = ${apiKey} and f.organization_key = ${organizationKey} and f.key = a.key
    offset 0
  ) f`
