import { groupBy } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { together } from '../../platform/db/db.ts'
import type { Issue } from '../../platform/errors.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { pageOf } from '../../platform/page.ts'
import { identifier, mapOf, type Static, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { type Level, levelFields, levelOf, oneLevel, requireLevel } from './level.ts'
import { type Entry, Listed, type Listing, listUsers, type Position } from './list-users.ts'

const PATH = '/v2/users/get'

const Input = Type.Object({
  ...levelFields,
  userIds: Type.Optional(Type.Array(identifier('Id of a user.'))),
  organizationUserGroupIds: Type.Optional(Type.Array(identifier('Users of any of these groups.'))),
  allDocuments: Type.Optional(Type.Boolean({ description: 'True: the users of any document, each once.' })),
  groupByDocumentId: Type.Optional(
    Type.Boolean({ description: 'With `allDocuments`: the answer is a map from document ids to their users.' }),
  ),
  searchKey: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Only users whose name, address or id contains this text, in upper or lower case.',
    }),
  ),
  includeInvolvedDocuments: Type.Optional(Type.Literal(false, { description: 'Not built: true is refused.' })),
  pageSize: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 1000, description: 'How many users a page has at most.' }),
  ),
  pageToken: Type.Optional(Type.String({ description: 'From the previous page.' })),
})
type Input = Static<typeof Input>

/** Lists the users of one level: those added to the organization, to a document, to a folder, or to any document. */
export const getUsers = operation({
  path: PATH,
  twin: '/v1/users/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get users of an organization, a document or a folder',
  description:
    'Without `documentId`, `folderId` and `allDocuments`: the contact list of the organization. `accessRole` is the ' +
    'role at the level. Access that has expired does not count.',
  input: Input,
  example: { organizationId: 'example', documentId: 'poster', pageSize: 20 },
  output: Type.Union([Type.Array(Listed), mapOf(Type.Array(Listed), 'Users by document id.')]),
  errors: ['NOT_FOUND'],
  message: 'User(s) retrieved successfully.',
  page: 'nextPageToken',
  check: (input) => [...oneLevel(input), ...allDocumentsRules(input)],
}).run(async ({ db, tenant, input, pageTokens, config }) => {
  const { pageSize = 1000, pageToken, groupByDocumentId = false, ...filters } = input
  const scope = { operation: PATH, tenant: tenant.apiKey, filters: { ...filters, groupByDocumentId } }
  const after = pageToken === undefined ? undefined : pageTokens.open(scope, pageToken)
  const selection = {
    filters: filtersOf(tenant, input),
    listing: listingOf(input, levelOf(tenant, input)),
    after: after as Position | undefined,
    limit: pageSize + 1,
    maxBytes: config.pageLimitBytes,
  }
  const [, rows] = await together([requireLevel(db, tenant, input), listUsers(db, tenant, selection)])
  const { page, last } = pageOf(rows, pageSize)
  return {
    data: groupByDocumentId ? byDocument(page) : page.map(({ user }) => user),
    next: last ? pageTokens.seal(scope, last.position) : null,
  }
})

function listingOf({ allDocuments, groupByDocumentId }: Input, level: Level): Listing {
  if (!allDocuments) return level
  return groupByDocumentId ? 'everyDocument' : 'anyDocument'
}

function byDocument(page: Entry[]): Record<string, Listed[]> {
  const documents = groupBy(page, ({ documentId }) => documentId)
  return Object.fromEntries(Array.from(documents, ([id, entries]) => [id, entries.map(({ user }) => user)]))
}

function allDocumentsRules({ documentId, folderId, allDocuments, groupByDocumentId }: Input): Issue[] {
  const atOne = documentId !== undefined || folderId !== undefined
  return [
    ...(allDocuments && atOne
      ? [{ path: 'allDocuments', message: 'must not be given together with documentId or folderId' }]
      : []),
    ...(groupByDocumentId && !allDocuments
      ? [{ path: 'groupByDocumentId', message: 'must be given together with allDocuments' }]
      : []),
  ]
}

const filtersOf = (tenant: ApiKeyTenant, { organizationId, userIds, organizationUserGroupIds, searchKey }: Input) => ({
  organizationKey: organizationKeyOf(tenant, organizationId),
  userKeys: userIds?.map(keyOf),
  groupKeys: organizationUserGroupIds?.map(keyOf),
  searchKey,
})
