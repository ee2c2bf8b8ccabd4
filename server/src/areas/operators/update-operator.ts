import { sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { requiredText, Type } from '../../platform/schema.ts'
import { serviceAddress } from '../../platform/settings/service-address.ts'
import { createLink, linkAddress } from './access/link.ts'
import { keepAnOperator, operatorState } from './access/operator.ts'
import { ROLES } from './access/role.ts'

/** Changes the role or name of an operator, ends their sessions, or makes a new sign-in link. A role counts at once. */
export const updateOperator = operation({
  path: '/console/api/operators/update',
  auth: 'none',
  access: 'write',
  administers: operatorState,
  summary: 'Update an operator',
  input: Type.Object({
    id: Type.String({ minLength: 1, maxLength: 64 }),
    role: Type.Optional(Type.Enum([...ROLES])),
    name: Type.Optional(requiredText('The name that others see.', 512)),
    endSessions: Type.Optional(Type.Boolean({ description: 'Ends every session of the operator.' })),
    newLink: Type.Optional(Type.Boolean({ description: 'Makes a one-time link, which replaces any other.' })),
  }),
  output: Type.Object({ link: Type.Optional(Type.String()) }),
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Operator updated.',
}).run(async ({ db, input, config }) => {
  const { id, role = null, name = null, endSessions, newLink } = input
  const [known] = await db.query<{ role: string }>(sql`select role from operator where id = ${id} for update`)
  const [changed] = await db.query<{ role: string; workspace_id: string | null }>(sql`
    update operator set role = coalesce(${role}, role), name = coalesce(${name}, name)
    where id = ${id}
    returning role, workspace_id`)
  if (!changed) throw new ApiError('NOT_FOUND', 'Operator not found.')
  if (changed.role === 'operator' && changed.workspace_id !== null) {
    throw new ApiError('FAILED_PRECONDITION', 'Who reaches one workspace only cannot have the role operator.')
  }
  if (known?.role === 'operator' && changed.role !== 'operator') await keepAnOperator(db)
  if (endSessions) await db.query(sql`delete from operator_session where operator_id = ${id}`)
  if (!newLink) return {}
  return { link: linkAddress(serviceAddress(config), await createLink(db, id)) }
})
