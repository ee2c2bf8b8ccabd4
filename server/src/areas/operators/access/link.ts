import { hash, randomBytes } from 'node:crypto'
import { type Db, sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { assertReach, findByEmail, insertOperator } from './operator.ts'
import type { Role } from './role.ts'

/** How long a link can be used. */
export const LINK_MINUTES = 30

/** The operator that the first link is for. The address is a name to sign in with; no mail is sent there. */
export const FIRST_OPERATOR = 'operator@localhost'

const FIRST = { email: FIRST_OPERATOR, name: 'Operator', role: 'operator', workspaceId: null } as const

/** The stored form of a random token of 256 bits. */
export const hashOfToken = (token: string): string => hash('sha256', token, 'hex')

/** A random token of 256 bits, safe in an address. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Replaces the links of an operator by a new one, and returns its token. It works once, within 30 minutes. */
export async function createLink(db: Db, operatorId: string): Promise<string> {
  const token = newToken()
  await db.query(sql`delete from operator_link where operator_id = ${operatorId} or expires_at < now_ms()`)
  await db.query(sql`
    insert into operator_link (hash, operator_id, expires_at)
    values (${hashOfToken(token)}, ${operatorId}, now_ms() + ${LINK_MINUTES * 60_000})`)
  return token
}

/** Uses up a link; returns its operator, or undefined if it is unknown, used or expired. */
export async function useLink(db: Db, token: string): Promise<string | undefined> {
  const [used] = await db.query<{ operator_id: string; valid: boolean }>(sql`
    delete from operator_link where hash = ${hashOfToken(token)}
    returning operator_id, expires_at > now_ms() as valid`)
  return used?.valid ? used.operator_id : undefined
}

/** What an invitation to an unknown address carries. */
interface Invited {
  /** Default: `operator`. */
  role?: Role | undefined
  /** The only workspace that they reach; default: all. */
  workspaceId?: string | undefined
}

/**
 * A link for the operator of an address. An unknown address becomes an operator with the role of the invitation. Throws
 * FAILED_PRECONDITION for a known address that has another role or reach: a link changes neither. Throws too where
 * `assertReach` does.
 */
export async function createOperatorLink(db: Db, email: string = FIRST.email, invited: Invited = {}): Promise<string> {
  const { role = FIRST.role, workspaceId = FIRST.workspaceId } = invited
  await assertReach(db, { role, workspaceId })
  await insertOperator(db, { email, role, workspaceId, name: email === FIRST.email ? FIRST.name : email })
  const operator = await findByEmail(db, email)
  if (!operator) throw new Error('The operator just written cannot be read.')
  const { role: roleIs = operator.role, workspaceId: reachIs = operator.workspaceId } = invited
  if (operator.role !== roleIs || operator.workspaceId !== reachIs) {
    const reach = operator.workspaceId === null ? 'all workspaces' : `the workspace ${operator.workspaceId}`
    const message = `${email} has the role ${operator.role} for ${reach}. Change it in the console.`
    throw new ApiError('FAILED_PRECONDITION', message)
  }
  return createLink(db, operator.id)
}

/** The address that a link opens. The token stands in the fragment, which browsers do not send. */
export const linkAddress = (base: string, token: string): string => `${base}/console/#token=${token}`
