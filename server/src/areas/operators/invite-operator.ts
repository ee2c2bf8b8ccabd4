import { ApiError } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { email, requiredText, Type } from '../../platform/schema.ts'
import { serviceAddress } from '../../platform/settings/service-address.ts'
import { createLink, LINK_MINUTES, linkAddress } from './access/link.ts'
import { assertReach, insertOperator, operatorState } from './access/operator.ts'
import { ROLES } from './access/role.ts'

/** Adds an operator and returns a link to hand over: it signs in once, within 30 minutes. */
export const inviteOperator = operation({
  path: '/console/api/operators/invite',
  auth: 'none',
  access: 'write',
  administers: operatorState,
  summary: 'Invite an operator',
  input: Type.Object({
    email: email('The address to sign in with. No mail is sent.'),
    name: Type.Optional(requiredText('Default: the address.', 512)),
    role: Type.Enum([...ROLES]),
    workspaceId: Type.Optional(Type.String({ description: 'The only workspace to reach; omitted: all.' })),
  }),
  output: Type.Object({ id: Type.String(), link: Type.String(), minutes: Type.Integer() }),
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'ALREADY_EXISTS', 'NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Operator invited.',
}).run(async ({ db, input, config }) => {
  const { workspaceId = null, role } = input
  await assertReach(db, { role, workspaceId })
  const operator = await insertOperator(db, { email: input.email, name: input.name ?? input.email, role, workspaceId })
  if (!operator) throw new ApiError('ALREADY_EXISTS', 'An operator with this address exists.')
  return {
    id: operator.id,
    link: linkAddress(serviceAddress(config), await createLink(db, operator.id)),
    minutes: LINK_MINUTES,
  }
})
