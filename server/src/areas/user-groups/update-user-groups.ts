import { lastById, resultsOf } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, nullable, Type, text } from '../../platform/schema.ts'
import { ensureOrganization } from '../organizations/organization.ts'

/** Renames user groups. */
export const updateUserGroups = operation({
  path: '/v2/organizations/usergroups/update',
  auth: 'apiKey',
  access: 'write',
  summary: 'Update user groups of an organization',
  input: Type.Object({
    organizationId: identifier('The organization.'),
    organizationUserGroups: Type.Array(
      Type.Object({
        groupId: identifier('Id of the group.'),
        groupName: Type.Optional(nullable(text('Its name; null takes it away.'))),
      }),
    ),
  }),
  example: {
    organizationId: 'example',
    organizationUserGroups: [{ groupId: 'writers', groupName: 'Writers and translators' }],
  },
  output: mapOf(itemResult(), 'One result per group id.'),
  errors: ['NOT_FOUND'],
  message: 'Organization user group(s) updated successfully.',
}).run(async ({ db, tenant, input }) => {
  const organization = await ensureOrganization(db, tenant, input.organizationId, { create: false })
  const groups = lastById(input.organizationUserGroups, (group) => group.groupId)
  const list = [...groups.values()]
  const keys = list.map(({ groupId }) => keyOf(groupId))
  // Not in the statement of the update: see `lockRows`.
  db.send(sql`
    select from user_group
    where api_key = ${tenant.apiKey} and organization_key = ${organization.key} and key = any(${keys}::uuid[])
    order by key
    for no key update`)
  const updated = await db.query<{ id: string }>(sql`
    update user_group g
    set name = case when i.is_named then i.name else g.name end
    from unnest(
      ${keys}::uuid[],
      ${list.map(({ groupName }) => groupName ?? null)}::text[],
      ${list.map(({ groupName }) => groupName !== undefined)}::boolean[]
    ) as i (key, name, is_named)
    where g.api_key = ${tenant.apiKey} and g.organization_key = ${organization.key} and g.key = i.key
    returning g.id`)
  const known = new Set(updated.map(({ id }) => id))
  return resultsOf(groups.keys(), (groupId) =>
    known.has(groupId)
      ? { success: true, message: 'Organization user group updated.' }
      : { success: false, message: 'Organization user group does not exist.' },
  )
})
