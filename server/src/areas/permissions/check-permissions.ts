import { operation } from '../../platform/operation.ts'
import { identifier, nullable, oneOf, Type } from '../../platform/schema.ts'
import { AccessType } from '../folders/access-type.ts'
import { REASONS } from './access/access.ts'
import { accessRole } from './access/grant.ts'
import { decideForUsers } from './provider/decide-for-users.ts'
import { resourceType } from './resource.ts'

const Check = Type.Object({
  userId: identifier('Who.'),
  resource: Type.Object({ type: resourceType, id: identifier('Id of the document, folder or organization.') }),
  action: oneOf(['view', 'comment', 'edit'], 'What the user wants to do. A viewer may view and comment.'),
})

const DecisionOutput = Type.Object({
  allowed: Type.Boolean(),
  accessRole: Type.Union([accessRole, Type.Null()], { description: 'The effective role; null: no access.' }),
  reason: oneOf([...REASONS], 'What decided.'),
  via: Type.Union(
    [Type.Object({ type: resourceType, id: Type.String(), expiresAt: nullable(Type.Integer()) }), Type.Null()],
    {
      description: 'The nearest grant and the level that it was given at. One that has ended is named when none lives.',
    },
  ),
  accessType: Type.Union([AccessType, Type.Null()], {
    description: 'The effective access type; null for an organization, which has none.',
  }),
})

/** Checks whether users may view or edit resources of an organization, and says what decided each check. */
export const checkPermissions = operation({
  path: '/v2/auth/permissions/check',
  auth: 'apiKey',
  access: 'read',
  summary: 'Check what users may do',
  description: `
The nearest grant that has not ended decides the role: on the document, then on its folders upward, then on the
organization. A \`public\` resource admits anyone, as an editor where no grant says otherwise; \`organizationPrivate\`
admits the users of the organization and those with a grant below it; \`restricted\` only those with a grant on the
document or on a folder above it. A disabled document or organization admits nobody. While a permission provider is on,
it decides instead of the stored grants.

Reasons: \`grant\` (a grant admits), \`public\` (no grant is needed), \`viewer\` (the role does not include editing),
\`expired\` (the grant has ended), \`restricted\` and \`organization_private\` (the access type asks for a grant that is
not there), \`not_a_member\` (of the organization asked for), \`removed\` (from the organization, and not added
again), \`provider\` (the permission provider decided), \`provider_unavailable\` (it gave no valid answer, which
denies), \`disabled\`, \`unknown_user\`, \`unknown_resource\`.`.trim(),
  input: Type.Object({ organizationId: identifier('The organization.'), checks: Type.Array(Check) }),
  example: {
    organizationId: 'example',
    checks: [
      { userId: 'owen', resource: { type: 'document', id: 'poster' }, action: 'edit' },
      { userId: 'iris', resource: { type: 'document', id: 'poster' }, action: 'view' },
    ],
  },
  output: Type.Array(DecisionOutput, { description: 'One answer per check, in their order.' }),
  errors: [],
  message: 'Permissions checked successfully.',
}).run((context) => {
  const { organizationId, checks } = context.input
  const named = checks.map(({ userId, resource, action }) => ({ userId, ...resource, action }))
  return decideForUsers(context, organizationId, named)
})
