import { sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { keepAnOperator, operatorState } from './access/operator.ts'

/** Removes an operator: their sessions and links end at once. */
export const removeOperator = operation({
  path: '/console/api/operators/remove',
  auth: 'none',
  access: 'write',
  administers: operatorState,
  summary: 'Remove an operator',
  input: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
  output: null,
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Operator removed.',
}).run(async ({ db, input: { id } }) => {
  const [removed] = await db.query<{ role: string }>(sql`delete from operator where id = ${id} returning role`)
  if (!removed) throw new ApiError('NOT_FOUND', 'Operator not found.')
  if (removed.role === 'operator') await keepAnOperator(db)
})
