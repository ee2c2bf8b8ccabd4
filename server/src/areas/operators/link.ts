import { hash, randomBytes } from 'node:crypto'
import { type Db, sql } from '../../platform/db/db.ts'
import { insertOperator } from './operator.ts'

/** How long a link can be used. */
export const LINK_MINUTES = 30

/** The operator that the first link is for. The address is a name to sign in with; no mail is sent there. */
const FIRST = { email: 'operator@localhost', name: 'Operator', role: 'operator', workspaceId: null } as const

/** The stored form of a random token of 256 bits. */
export const hashOfToken = (token: string): string => hash('sha256', token, 'hex')

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

/** A link for the first operator, who is made if needed; undefined once any operator can sign in with a password. */
export async function createFirstLink(db: Db): Promise<string | undefined> {
  const [able] = await db.query(sql`select id from operator where role = 'operator' and password is not null limit 1`)
  if (able) return undefined
  return createOperatorLink(db, FIRST.email)
}

/** A link for the operator of an address. An unknown address becomes an operator of the whole installation. */
export async function createOperatorLink(db: Db, email: string = FIRST.email): Promise<string> {
  await insertOperator(db, { ...FIRST, email, name: email === FIRST.email ? FIRST.name : email })
  const [operator] = await db.query<{ id: string }>(sql`select id from operator where lower(email) = lower(${email})`)
  if (!operator) throw new Error('The operator just written cannot be read.')
  return createLink(db, operator.id)
}

/** The address that a link opens. The token stands in the fragment, which browsers do not send. */
export const linkAddress = (base: string, token: string): string => `${base.replace(/\/$/, '')}/console/#token=${token}`
