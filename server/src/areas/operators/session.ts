import type { ConsoleSession } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { Type } from '../../platform/schema.ts'
import { hashOfToken, newToken } from './link.ts'
import { RIGHTS } from './right.ts'
import { ROLES, type Role, rightsOf } from './role.ts'

const IDLE_MS = 12 * 3_600_000
/** The last use is stored this often at most. */
const TOUCH_MS = 60_000

/** A session as its owner sees it. */
export const Session = Type.Object({
  operator: Type.Object({ name: Type.String(), email: Type.String(), role: Type.Enum([...ROLES]) }),
  scope: Type.String({ description: '`all`, or the id of the only workspace.' }),
  rights: Type.Array(Type.Enum([...RIGHTS]), { description: 'What the role may do.' }),
  readOnly: Type.Boolean({ description: 'True while the console changes nothing (`CONSOLE=read-only`).' }),
  expiresAt: Type.Integer({ description: 'When the session ends unless it is used before, in epoch milliseconds.' }),
})

/** Who opens a session: an operator, or the holder of a workspace's token. */
type Opener = { operatorId: string } | { workspaceId: string; tokenHash: string }

/** Opens a session with a new token, which is returned, and forgets those that have ended. */
export async function openSession(db: Db, opener: Opener): Promise<string> {
  const token = newToken()
  const { operatorId, workspaceId, tokenHash } = { operatorId: null, workspaceId: null, tokenHash: null, ...opener }
  await db.query(sql`delete from operator_session where seen_at < now_ms() - ${IDLE_MS}`)
  await db.query(sql`
    insert into operator_session (hash, operator_id, workspace_id, workspace_token_hash)
    values (${hashOfToken(token)}, ${operatorId}, ${workspaceId}, ${tokenHash})`)
  return token
}

interface Row {
  id: string
  role: Role
  name: string
  email: string
  workspaceId: string | null
  expiresAt: number
  stale: boolean
}

/** The session of a token, with the role of now; undefined when it has ended. */
export async function findSession(db: Db, token: string): Promise<ConsoleSession | undefined> {
  const hash = hashOfToken(token)
  const [row] = await db.query<Row>(sql`
    select coalesce(o.id, w.id) as id, coalesce(o.role, 'admin') as role, coalesce(o.name, w.name) as name,
      coalesce(o.email, w.owner_email) as email, coalesce(o.workspace_id, s.workspace_id) as "workspaceId",
      s.seen_at + ${IDLE_MS} as "expiresAt", s.seen_at < now_ms() - ${TOUCH_MS} as stale
    from operator_session s
    left join operator o on o.id = s.operator_id
    left join workspace w on w.id = s.workspace_id
    where s.hash = ${hash} and s.seen_at > now_ms() - ${IDLE_MS}
      and (s.operator_id is not null or w.token_hash = s.workspace_token_hash)`)
  if (!row) return undefined
  if (row.stale) await db.query(sql`update operator_session set seen_at = now_ms() where hash = ${hash}`)
  const { stale: _, ...session } = row
  return { ...session, hash }
}

export const endSession = (db: Db, hash: string) => db.query(sql`delete from operator_session where hash = ${hash}`)

/** The session of the caller, or UNAUTHENTICATED. */
export function sessionOf({ session }: { session: ConsoleSession | undefined }): ConsoleSession {
  if (session) return session
  throw new ApiError('UNAUTHENTICATED', 'You are not signed in to the console, or your session has ended.')
}

/** A session in the form of `Session`. */
export const describeSession = ({ name, email, role, workspaceId, expiresAt }: ConsoleSession, readOnly: boolean) => ({
  operator: { name, email, role },
  rights: rightsOf[role],
  scope: workspaceId ?? 'all',
  readOnly,
  expiresAt,
})
