import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, together } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { type Context, operation } from '../../platform/operation.ts'
import { wholeList } from '../../platform/page.ts'
import { identifier, type Static, Type } from '../../platform/schema.ts'
import type { Secrets } from '../../platform/secret.ts'
import { requireOrganization } from '../organizations/organization.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { readOptions } from '../workspaces/setting/api-key-options.ts'
import { MAX_LEVEL, missingFolder } from './folder.ts'
import { FolderRecord } from './folder-record.ts'
import { type ListedFolder, readFolderPage, readFolderTree } from './read-folders.ts'

const PATH = '/v2/organizations/folders/get'

const OFF =
  'Advanced queries are not enabled for this API key. Enable them via POST /v2/workspace/apikeyconfig/update with ' +
  'advancedQueries: true.'

// How many folders are read at a time where all are wanted. More of them would hold the event loop for too long.
const BATCH = 2_000

const Input = Type.Object({
  organizationId: identifier('Id of the organization.'),
  folderId: Type.Optional(identifier('One folder.')),
  maxDepth: Type.Optional(Type.Integer({ minimum: 0, description: 'Levels of `subFolders`; default 1.' })),
  rootFoldersOnly: Type.Optional(Type.Boolean({ description: 'Without `folderId`: top-level folders only.' })),
  searchKey: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'Without `folderId`: only folders whose name or id contains this text, in upper or lower case, at any level.',
    }),
  ),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: all on one page.' })),
  pageToken: Type.Optional(Type.String({ description: 'From the page before.' })),
})

/** Lists all folders of an organization, or returns one folder with those below it. */
export const getFolders = operation({
  path: PATH,
  twin: '/v1/organizations/folders/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get folders',
  description: 'Without `folderId` all folders, flat; with it that folder, its `subFolders` nested to `maxDepth`.',
  input: Input,
  example: { organizationId: 'example', folderId: 'campaigns', maxDepth: 2 },
  output: Type.Array(FolderRecord),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Folder(s) retrieved successfully.',
  page: 'pageToken',
}).run(async (call) => {
  const { db, tenant, input, secrets } = call
  const [, , folders] = await together([
    requireAdvancedQueries(db, tenant, secrets),
    requireOrganization(db, tenant, input.organizationId),
    readFolders(call),
  ])
  return folders
})

/** A disabled feature is reported before a missing organization. */
async function requireAdvancedQueries(db: Db, tenant: ApiKeyTenant, secrets: Secrets): Promise<void> {
  const { advancedQueries } = await readOptions(db, tenant, secrets)
  if (!advancedQueries) throw new ApiError('FAILED_PRECONDITION', OFF)
}

async function readFolders({ db, tenant, input, pageTokens, config }: Context<'apiKey', 'read', Static<typeof Input>>) {
  const { organizationId, folderId, maxDepth = 1, rootFoldersOnly = false, searchKey, pageSize, pageToken } = input
  const reading = {
    db,
    tenant,
    organizationId,
    organizationKey: organizationKeyOf(tenant, organizationId),
    maxBytes: config.pageLimitBytes,
  }
  if (folderId !== undefined) {
    const tree = await readFolderTree(reading, folderId, Math.min(maxDepth, MAX_LEVEL))
    if (!tree) throw missingFolder(folderId)
    return { data: [tree], next: null }
  }
  const filters = { organizationId, rootFoldersOnly, ...(searchKey !== undefined && { searchKey }) }
  const scope = { operation: PATH, tenant: tenant.apiKey, filters }
  const readFrom = (after: number, size: number) =>
    readFolderPage(reading, { rootFoldersOnly, searchKey, after, pageSize: size })
  if (pageSize === undefined && pageToken === undefined) {
    const data = await wholeList(
      (last: ListedFolder | undefined) => readFrom(last?.seq ?? 0, BATCH),
      ({ record }) => record,
    )
    return { data, next: null }
  }
  const after = pageToken === undefined ? 0 : Number(pageTokens.open(scope, pageToken))
  const { page, last } = await readFrom(after, pageSize ?? BATCH)
  return { data: page.map(({ record }) => record), next: last ? pageTokens.seal(scope, last.seq) : null }
}
