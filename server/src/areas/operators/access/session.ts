import { DAY_MS } from '../../../platform/date-range.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { oneOf, Type } from '../../../platform/schema.ts'
import type { ConsoleSession, Door } from './console-caller.ts'
import { hashOfToken, newToken } from './link.ts'
import { RIGHTS } from './right.ts'
import { ROLES, rightsOf } from './role.ts'

const IDLE_MS = 12 * 3_600_000
/** A session by OpenID Connect lasts no longer, so that who has left the issuer is out a day later. */
const OIDC_MS = DAY_MS
/** The last use is stored this often at most. */
const TOUCH_MS = 60_000

const DOORS: readonly Door[] = ['link', 'password', 'oidc', 'workspace token', 'operator token']

/** A session as its owner sees it. */
export const Session = Type.Object({
  operator: Type.Object({ name: Type.String(), email: Type.String(), role: Type.Enum([...ROLES]) }),
  door: oneOf([...DOORS], 'How the session was opened.'),
  scope: Type.String({ description: '`all`, or the id of the only workspace.' }),
  rights: Type.Array(Type.Enum([...RIGHTS]), { description: 'What the role may do.' }),
  readOnly: Type.Boolean({ description: 'True while the console changes nothing (`CONSOLE=read-only`).' }),
  expiresAt: Type.Integer({ description: 'When the session ends unless it is used before, in epoch milliseconds.' }),
})

/** Who opens a session, and by which door. */
export type Opener =
  | { operatorId: string; door: 'link' | 'password' | 'oidc' }
  | { workspaceId: string; tokenHash: string; door: 'workspace token' }
  | { operatorTokenHash: string; door: 'operator token' }

/** Opens a session with a new token, which is returned, and forgets those that have ended. */
export async function openSession(db: Db, opener: Opener): Promise<string> {
  const token = newToken()
  const none = { operatorId: null, workspaceId: null, tokenHash: null, operatorTokenHash: null }
  const { operatorId, workspaceId, tokenHash, operatorTokenHash, door } = { ...none, ...opener }
  await db.query(sql`delete from operator_session where seen_at < now_ms() - ${IDLE_MS}`)
  await db.query(sql`
    insert into operator_session (hash, operator_id, workspace_id, workspace_token_hash, operator_token_hash, door)
    values (${hashOfToken(token)}, ${operatorId}, ${workspaceId}, ${tokenHash}, ${operatorTokenHash}, ${door})`)
  return token
}

/** SQL: whether the time of `operator_session s` has not ended. */
export const isOpen = sql`
  s.seen_at > now_ms() - ${IDLE_MS} and (s.door <> 'oidc' or s.created_at > now_ms() - ${OIDC_MS})`

interface Row extends Omit<ConsoleSession, 'hash'> {
  operatorTokenHash: string | null
  stale: boolean
}

/** Checks the stored hash of an operator's token against the one that is set now. */
type IsCurrent = (operatorTokenHash: string) => boolean

/** The session of a token, with the role of now; undefined when it has ended. */
export async function findSession(db: Db, token: string, isCurrent: IsCurrent): Promise<ConsoleSession | undefined> {
  const hash = hashOfToken(token)
  const [row] = await db.query<Row>(sql`
    select coalesce(o.id, w.id, ${TOKEN_HOLDER.id}) as id, coalesce(o.name, w.name, ${TOKEN_HOLDER.name}) as name,
      coalesce(o.email, w.owner_email, ${TOKEN_HOLDER.email}) as email,
      coalesce(o.role, case when w.id is null then 'operator' else 'admin' end) as role,
      coalesce(o.workspace_id, s.workspace_id) as "workspaceId", s.operator_token_hash as "operatorTokenHash",
      s.door, s.created_at as "openedAt",
      least(s.seen_at + ${IDLE_MS}, case when s.door = 'oidc' then s.created_at + ${OIDC_MS} end) as "expiresAt",
      s.seen_at < now_ms() - ${TOUCH_MS} as stale
    from operator_session s
    left join operator o on o.id = s.operator_id
    left join workspace w on w.id = s.workspace_id
    where s.hash = ${hash} and ${isOpen} and (s.workspace_id is null or w.token_hash = s.workspace_token_hash)`)
  if (!row) return undefined
  const { stale, operatorTokenHash, ...session } = row
  if (operatorTokenHash !== null && !isCurrent(operatorTokenHash)) return undefined
  if (stale) await db.query(sql`update operator_session set seen_at = now_ms() where hash = ${hash}`)
  return { ...session, hash }
}

/** Who holds the operator's token: nobody by name. */
const TOKEN_HOLDER = { id: 'operator-token', name: 'Operator token', email: 'operator-token' } as const

/**
 * The session of a machine that sends a token with the call: the operator's, or one of the master keys. It is not
 * stored.
 */
export const machineSession = (now: number, ofThisMachine: boolean): ConsoleSession => ({
  ...TOKEN_HOLDER,
  role: 'operator',
  workspaceId: null,
  hash: '',
  door: 'operator token',
  openedAt: now,
  expiresAt: now + IDLE_MS,
  ...(ofThisMachine && { ofThisMachine }),
})

/** Whether it is that of a machine. */
export const isMachine = ({ hash }: ConsoleSession): boolean => hash === ''

/** Ends a session by the hash of its token; does nothing if it has ended. */
export const endSession = (db: Db, hash: string) => db.query(sql`delete from operator_session where hash = ${hash}`)

/** The session of a caller; UNAUTHENTICATED without one. */
export function sessionOf(session: ConsoleSession | undefined): ConsoleSession {
  if (session) return session
  throw new ApiError('UNAUTHENTICATED', 'You are not signed in to the console, or your session has ended.')
}

/** A session in the form of `Session`. */
export const describeSession = (
  { name, email, role, door, workspaceId, expiresAt }: ConsoleSession,
  readOnly: boolean,
) => ({
  operator: { name, email, role },
  rights: rightsOf[role],
  door,
  scope: workspaceId ?? 'all',
  readOnly,
  expiresAt,
})
