import { sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { email, personName, Type } from '../../platform/schema.ts'
import { hashPassword } from './password.ts'
import { sessionOf } from './session.ts'

/** Sets the caller's password, and the name and address if given. All other sessions of the operator end. */
export const setPassword = operation({
  path: '/console/api/session/set-password',
  auth: 'none',
  access: 'write',
  summary: 'Set the password',
  input: Type.Object({
    password: Type.String({ minLength: 12, maxLength: 200, description: '12 to 200 characters.' }),
    email: Type.Optional(email('The address to sign in with from now on.')),
    name: Type.Optional(personName('The name that others see.')),
  }),
  output: null,
  errors: ['UNAUTHENTICATED', 'FAILED_PRECONDITION', 'ALREADY_EXISTS'],
  message: 'Password set.',
}).run(async ({ db, request, input }) => {
  const { id, hash } = sessionOf({ session: request.console?.session })
  const password = await hashPassword(input.password)
  const address = input.email ?? null
  const [taken] = await db.query(sql`
    select id from operator where lower(email) = lower(${address}::text) and id <> ${id}`)
  if (taken) throw new ApiError('ALREADY_EXISTS', 'Another operator has this address.')
  const [changed] = await db.query(sql`
    update operator
    set password = ${password}, email = coalesce(${address}, email), name = coalesce(${input.name ?? null}, name)
    where id = ${id}
    returning id`)
  if (!changed) {
    throw new ApiError('FAILED_PRECONDITION', 'Who signs in with the token of a workspace has no password.')
  }
  await db.query(sql`delete from operator_session where operator_id = ${id} and hash <> ${hash}`)
})
