import type { Config } from '../../../platform/config.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { checkStorable } from '../../../platform/http/body/storable.ts'
import { isSameAddress } from '../access/operator.ts'
import { verifyPassword } from './password.ts'

/**
 * The stored hash of the operator's password if it is this one; undefined if not. To compare takes a tenth of a second:
 * a transaction would hold its connection as long, and anybody can ask for it. So it is done before that of the
 * sign-in.
 */
export async function matchPassword(
  db: Db,
  { passwordSignIn }: Pick<Config, 'passwordSignIn'>,
  { email, password }: Record<string, unknown>,
): Promise<string | undefined> {
  if (passwordSignIn !== 'on' || typeof email !== 'string' || typeof password !== 'string') return undefined
  checkStorable({ email })
  const [operator] = await db.query<{ email: string; password: string | null }>(sql`
    select email, password from operator where lower(email) = lower(${email})`)
  // Attempts are counted by the address as it was sent, so another spelling of it must lead nowhere.
  const stored = operator && isSameAddress(operator.email, email) ? operator.password : null
  return (await verifyPassword(password, stored)) && stored !== null ? stored : undefined
}
