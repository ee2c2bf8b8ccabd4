import { operation } from '../../platform/operation.ts'
import { email, Type } from '../../platform/schema.ts'
import { serviceAddress } from '../../platform/settings/service-address.ts'
import { createOperatorLink, FIRST_OPERATOR, LINK_MINUTES, linkAddress } from './access/link.ts'
import { operatorStateOf } from './access/operator.ts'
import { ROLES } from './access/role.ts'

/** Makes a sign-in link for an address, as `precedent operator link` does; an unknown address becomes an operator. */
export const linkOperator = operation({
  path: '/console/api/operators/link',
  auth: 'none',
  access: 'write',
  administers: async ({ db, input: { email } }) => operatorStateOf(db, String(email ?? FIRST_OPERATOR)),
  summary: 'Make a sign-in link for an operator',
  input: Type.Object({
    email: Type.Optional(email('Whom the link is for. Default: the first operator. No mail is sent.')),
    role: Type.Optional(Type.Enum([...ROLES], { description: 'Of an unknown address. Default: operator.' })),
    workspaceId: Type.Optional(Type.String({ description: 'The only workspace to reach; omitted: all.' })),
  }),
  output: Type.Object({ link: Type.String(), minutes: Type.Integer() }),
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Link made.',
  check: ({ email, role, workspaceId }) =>
    email === undefined && (role ?? workspaceId) !== undefined
      ? [{ path: 'email', message: 'is required with a role or a workspace' }]
      : [],
}).run(async ({ db, input, config }) => {
  const { email, role, workspaceId } = input
  const token = await createOperatorLink(db, email, { role, workspaceId })
  return { link: linkAddress(serviceAddress(config), token), minutes: LINK_MINUTES }
})
