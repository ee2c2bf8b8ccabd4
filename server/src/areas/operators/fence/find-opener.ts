import type { Services } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { ApiError, invalidField } from '../../../platform/errors.ts'
import type { ConsoleCaller } from '../access/console-caller.ts'
import { useLink } from '../access/link.ts'
import type { Opener } from '../access/session.ts'
import { oidcOperator } from '../oidc/oidc-operator.ts'
import { isOperatorToken, wrongOperatorToken } from './operator-token.ts'
import { assertPasswords } from './password.ts'

/** What somebody sends to prove who they are. */
interface Sent {
  /** Of a one-time link. */
  token?: string
  email?: string
  password?: string
  workspaceId?: string
  authToken?: string
  operatorToken?: string
}

type Means = Pick<Services, 'secrets' | 'config'>

/**
 * Whose session a sign-in opens, by the one thing that was sent or that the door has proved before. Throws
 * UNAUTHENTICATED where it proves nothing, and INVALID_ARGUMENT where nothing whole was sent.
 */
export async function findOpener(
  db: Db,
  { secrets, config }: Means,
  { token, email, password, workspaceId, authToken, operatorToken }: Sent,
  { identity, passwordHash }: Pick<ConsoleCaller, 'identity' | 'passwordHash'> = {},
): Promise<Opener> {
  if (identity) return { operatorId: await oidcOperator(db, identity, config), door: 'oidc' }
  if (token !== undefined) return byLink(db, token)
  if (email !== undefined && password !== undefined) {
    assertPasswords(config)
    return byPassword(db, email, passwordHash)
  }
  if (operatorToken !== undefined) {
    if (!isOperatorToken(operatorToken, config)) throw wrongOperatorToken()
    return { operatorTokenHash: secrets.hash(operatorToken), door: 'operator token' }
  }
  if (workspaceId !== undefined && authToken !== undefined) return byWorkspace(db, secrets, { workspaceId, authToken })
  throw invalidField('', 'Send token, or email and password, or workspaceId and authToken, or operatorToken')
}

async function byLink(db: Db, token: string): Promise<Opener> {
  const operatorId = await useLink(db, token)
  if (operatorId === undefined) throw refusal('This link was used, replaced or has expired. Ask for a new one.')
  return { operatorId, door: 'link' }
}

/** The password was compared before. A change of it, or a removal of the operator, that is under way comes first. */
async function byPassword(db: Db, email: string, passwordHash: string | null = null): Promise<Opener> {
  const [operator] = await db.query<{ id: string }>(sql`
    select id from operator where lower(email) = lower(${email}) and password = ${passwordHash} for share`)
  if (!operator) throw refusal('The address or the password is wrong.')
  return { operatorId: operator.id, door: 'password' }
}

async function byWorkspace(
  db: Db,
  secrets: Means['secrets'],
  { workspaceId, authToken }: { workspaceId: string; authToken: string },
): Promise<Opener> {
  const [workspace] = await db.query<{ token_hash: string }>(sql`
    select token_hash from workspace where id = ${workspaceId}`)
  if (!workspace || !secrets.verify(authToken, workspace.token_hash)) {
    throw refusal('The workspace or its token is wrong.')
  }
  return { workspaceId, tokenHash: workspace.token_hash, door: 'workspace token' }
}

const refusal = (message: string) => new ApiError('UNAUTHENTICATED', message)
