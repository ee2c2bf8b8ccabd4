import { lastById, resultsOf } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, Type, text } from '../../platform/schema.ts'
import { ensureOrganization } from '../organizations/organization.ts'
import { userGroupId } from './user-group.ts'

/** Adds user groups to an organization. A group that exists does not change. */
export const addUserGroups = operation({
  path: '/v2/organizations/usergroups/add',
  twin: '/v1/organizations/usergroups/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Add user groups to an organization',
  input: Type.Object({
    organizationId: identifier('The organization.'),
    createOrganization: Type.Optional(
      Type.Boolean({ description: 'Whether to create the organization if it does not exist.' }),
    ),
    organizationUserGroups: Type.Array(
      Type.Object({
        groupId: identifier('Id of the group, chosen by the caller.'),
        groupName: Type.Optional(text('Its name.')),
      }),
    ),
  }),
  example: { organizationId: 'example', organizationUserGroups: [{ groupId: 'writers', groupName: 'Writers' }] },
  output: mapOf(itemResult({ id: Type.Optional(Type.String()) }), 'One result per group id.'),
  errors: ['NOT_FOUND'],
  message: 'Organization user group(s) added successfully.',
}).run(async ({ db, tenant, input }) => {
  const { organizationId, createOrganization = false } = input
  const organization = await ensureOrganization(db, tenant, organizationId, {
    create: createOrganization,
    mayAsk: true,
  })
  const organizationKey = organization.key
  const groups = lastById(input.organizationUserGroups, (group) => group.groupId)
  const list = [...groups.values()]
  const inserted = await db.query<{ id: string }>(sql`
    insert into user_group (api_key, organization_key, key, id, name)
    select ${tenant.apiKey}, ${organizationKey}::uuid, g.*
    from unnest(
      ${list.map(({ groupId }) => keyOf(groupId))}::uuid[],
      ${list.map(({ groupId }) => groupId)}::text[],
      ${list.map(({ groupName }) => groupName ?? null)}::text[]
    ) as g (key, id, name)
    order by 3
    on conflict (api_key, organization_key, key) do nothing
    returning id`)
  const added = new Set(inserted.map(({ id }) => id))
  return resultsOf(groups.keys(), (groupId) =>
    added.has(groupId)
      ? { success: true, id: userGroupId(tenant, organizationKey, groupId), message: 'Organization user group added.' }
      : { success: false, message: 'Organization user group already exists.' },
  )
})
