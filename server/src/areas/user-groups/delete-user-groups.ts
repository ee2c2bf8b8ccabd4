import { resultsOf } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'

/** Deletes user groups. Their users stay in the organization. */
export const deleteUserGroups = operation({
  path: '/v2/organizations/usergroups/delete',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Delete user groups of an organization',
  description: 'The users of a group stay in the organization.',
  input: Type.Object({
    organizationId: identifier('The organization.'),
    organizationUserGroupIds: Type.Array(identifier('Id of a group.')),
  }),
  example: { organizationId: 'example', organizationUserGroupIds: ['writers'] },
  output: mapOf(itemResult(), 'One result per group id.'),
  errors: [],
  message: 'Organization user group(s) deleted successfully.',
}).run(async ({ db, tenant, input }) => {
  const ids = new Set(input.organizationUserGroupIds)
  const deleted = await db.query<{ id: string }>(sql`
    with doomed as (
      select key
      from user_group
      where api_key = ${tenant.apiKey} and organization_key = ${organizationKeyOf(tenant, input.organizationId)}
        and key = any(${[...ids].map(keyOf)}::uuid[])
      order by key
      for update
    )
    delete from user_group g
    using doomed d
    where g.api_key = ${tenant.apiKey} and g.organization_key = ${organizationKeyOf(tenant, input.organizationId)}
      and g.key = d.key
    returning g.id`)
  const gone = new Set(deleted.map(({ id }) => id))
  return resultsOf(ids, (id) =>
    gone.has(id)
      ? { success: true, message: 'Organization user group deleted.' }
      : { success: false, message: 'Organization user group does not exist.' },
  )
})
