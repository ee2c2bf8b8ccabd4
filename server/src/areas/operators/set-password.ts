import type { Config } from '../../platform/config.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { operation, type StateReader } from '../../platform/operation.ts'
import { email, requiredText, Type } from '../../platform/schema.ts'
import type { ConsoleSession } from './access/console-caller.ts'
import { LINK_MINUTES } from './access/link.ts'
import { sessionOf } from './access/session.ts'
import { assertPasswords, hashPassword, verifyPassword } from './fence/password.ts'

/** The operator whose session it is, for the audit record. */
const ownState: StateReader = async ({ db, request }) => {
  const id = request.console?.session?.id ?? null
  const [row] = await db.query(sql`select email, name, password is not null as "isSet" from operator where id = ${id}`)
  return row ?? null
}

/**
 * Sets the caller's password, and the name and address if given. A session alone is not enough, because it may be
 * stolen: the old password is needed, or a link that has just been used. All other sessions and links end.
 */
export const setPassword = operation({
  path: '/console/api/session/set-password',
  auth: 'none',
  access: 'write',
  administers: ownState,
  summary: 'Set the password',
  input: Type.Object({
    oldPassword: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Needed unless the session was opened by a link in the last 30 minutes.',
      }),
    ),
    password: Type.String({ minLength: 12, maxLength: 200, description: '12 to 200 characters.' }),
    email: Type.Optional(email('The address to sign in with from now on.')),
    name: Type.Optional(requiredText('The name that others see.', 512)),
  }),
  output: null,
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'FAILED_PRECONDITION', 'ALREADY_EXISTS'],
  message: 'Password set.',
}).run(async ({ db, request, input, config }) => {
  assertPasswords(config)
  const session = sessionOf(request.console?.session)
  const { id, hash } = session
  assertOwnAddress(session, input.email, config)
  await assertProven(db, session, input.oldPassword)
  const password = await hashPassword(input.password)
  // A sign-in that is under way comes first, so that its session ends too. The link first, as a sign-in uses it up.
  await db.query(sql`delete from operator_link where operator_id = ${id}`)
  await db.query(sql`select id from operator where id = ${id} for update`)
  const address = input.email ?? null
  const [taken] = await db.query(sql`
    select id from operator where lower(email) = lower(${address}::text) and id <> ${id}`)
  if (taken) throw new ApiError('ALREADY_EXISTS', 'Another operator has this address.')
  await db.query(sql`
    update operator
    set password = ${password}, email = coalesce(${address}, email), name = coalesce(${input.name ?? null}, name)
    where id = ${id}`)
  await db.query(sql`delete from operator_session where operator_id = ${id} and hash <> ${hash}`)
})

/**
 * FAILED_PRECONDITION for another address where an issuer vouches for addresses: whom it belongs to would sign in as
 * the caller, and the caller would get their role.
 */
function assertOwnAddress({ email: own, role }: ConsoleSession, wanted: string | undefined, config: Config): void {
  if (config.oidcIssuer === undefined || role === 'operator') return
  if (wanted === undefined || wanted.toLowerCase() === own.toLowerCase()) return
  throw new ApiError('FAILED_PRECONDITION', 'Addresses come from the issuer (OIDC_ISSUER), so yours stays as it is.')
}

/** Throws unless the caller is an operator who knows the old password, or has just come by a link. */
async function assertProven(db: Db, { id, door, openedAt }: ConsoleSession, oldPassword = ''): Promise<void> {
  const [operator] = await db.query<{ password: string | null; fresh: boolean }>(sql`
    select password, ${openedAt}::bigint > now_ms() - ${LINK_MINUTES * 60_000} as fresh from operator where id = ${id}`)
  if (!operator) throw new ApiError('FAILED_PRECONDITION', 'Who signs in with a token has no password.')
  if (door === 'link' && operator.fresh) return
  if (await verifyPassword(oldPassword, operator.password)) return
  throw new ApiError('PERMISSION_DENIED', 'The old password is wrong. Without it, ask for a new link to sign in.')
}
