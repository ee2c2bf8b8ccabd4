import { empty, sql, together } from '../../platform/db/db.ts'
import { FIRST_KEY, keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { type Cut, pageOf, withinBytes } from '../../platform/page.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { requireOrganization } from '../organizations/organization.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { userGroupId } from './user-group.ts'

const PATH = '/v2/organizations/usergroups/get'

const UserGroup = Type.Object({
  id: Type.String({ description: 'A stable id of the group, 32 hex digits.' }),
  groupId: Type.String(),
  groupName: Type.Optional(Type.String()),
  usersCount: Type.Integer({ description: 'How many users are in it, those included whose membership has expired.' }),
})

interface Row extends Cut {
  key: string
  id: string
  name: string | null
  users: number
}

/** Lists the user groups of an organization. Unknown ids are left out. */
export const getUserGroups = operation({
  path: PATH,
  auth: 'apiKey',
  access: 'read',
  summary: 'Get the user groups of an organization',
  description: 'The users of a group are listed by `users/get` with `organizationUserGroupIds`.',
  input: Type.Object({
    organizationId: identifier('The organization.'),
    organizationUserGroupIds: Type.Optional(Type.Array(identifier('Id of a group.'), { description: 'Omitted: all.' })),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 1000.' })),
    pageToken: Type.Optional(Type.String({ description: 'From the page before.' })),
  }),
  example: { organizationId: 'example', organizationUserGroupIds: ['designers'] },
  output: Type.Array(UserGroup),
  errors: ['NOT_FOUND'],
  message: 'Organization user group(s) retrieved successfully.',
  page: 'nextPageToken',
}).run(async ({ db, tenant, input, pageTokens, config }) => {
  const { organizationId, organizationUserGroupIds: ids, pageSize = 1000, pageToken } = input
  const organizationKey = organizationKeyOf(tenant, organizationId)
  const scope = { operation: PATH, tenant: tenant.apiKey, filters: { organizationId, ids: ids ?? null } }
  const after = pageToken === undefined ? FIRST_KEY : String(pageTokens.open(scope, pageToken))
  const groups = sql`
    select g.key, g.id, g.name, octet_length(concat(g.id, g.name)) as size, (
      select count(*)
      from user_group_member m
      where m.api_key = ${tenant.apiKey} and m.organization_key = ${organizationKey} and m.group_key = g.key) as users
    from user_group g
    where g.api_key = ${tenant.apiKey} and g.organization_key = ${organizationKey} and g.key > ${after}::uuid
      ${ids ? sql`and g.key = any(${ids.map(keyOf)}::uuid[])` : empty}
    order by g.key
    limit ${pageSize + 1}`
  const [, rows] = await together([
    requireOrganization(db, tenant, organizationId),
    db.query<Row>(withinBytes(groups, sql`key`, config.pageLimitBytes)),
  ])
  const { page, last } = pageOf(rows, pageSize)
  return {
    data: page.map(({ id, name, users }) => ({
      id: userGroupId(tenant, organizationKey, id),
      groupId: id,
      ...(name !== null && { groupName: name }),
      usersCount: users,
    })),
    next: last ? pageTokens.seal(scope, last.key) : null,
  }
})
