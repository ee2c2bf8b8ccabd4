import type { Config } from '../../../platform/config.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { Identity } from '../access/console-caller.ts'
import { findByEmail, insertOperator, isSameAddress, keepAnOperator } from '../access/operator.ts'
import { ROLES, type Role } from '../access/role.ts'
import { valuesOf } from './issuer.ts'

/**
 * The id of the operator that the issuer vouches for. Without `OIDC_ROLE_CLAIM` the person must be invited. With it,
 * the claim gives the role at each sign-in, except to those who are bound to one workspace. PERMISSION_DENIED
 * otherwise. FAILED_PRECONDITION where the claim would leave the installation without an operator.
 */
export async function oidcOperator(db: Db, { email, name, claims }: Identity, config: Config): Promise<string> {
  const known = await findByEmail(db, email)
  if (known && !isSameAddress(known.email, email)) throw notInvited(email)
  if (config.oidcRoleClaim === undefined || (known && known.workspaceId !== null)) {
    if (known) return known.id
    throw notInvited(email)
  }
  const role = roleOf(valuesOf(claims, config.oidcRoleClaim), config.oidcRoles)
  if (!role) throw new ApiError('PERMISSION_DENIED', `The issuer gives ${email} no role here (OIDC_ROLES).`)
  if (!known) {
    const made = await insertOperator(db, { email, name: name ?? email, role, workspaceId: null })
    if (made) return made.id
    throw new ApiError('ABORTED', 'The same person signs in twice at the same time. Try again.')
  }
  await db.query(sql`update operator set role = ${role} where id = ${known.id} and role <> ${role}`)
  if (known.role === 'operator' && role !== 'operator') {
    await keepAnOperator(db, `The issuer gives ${email} the role ${role}, but no other operator is left.`)
  }
  return known.id
}

const notInvited = (email: string) =>
  new ApiError('PERMISSION_DENIED', `Nobody has invited ${email}. Ask an operator to.`)

/** The most powerful role that the values give; undefined when they give none. */
function roleOf(values: string[], given: readonly string[]): Role | undefined {
  const held = given
    .filter((pair) => values.includes(pair.slice(0, pair.lastIndexOf('='))))
    .map((pair) => pair.slice(pair.lastIndexOf('=') + 1))
  return ROLES.find((role) => held.includes(role))
}
