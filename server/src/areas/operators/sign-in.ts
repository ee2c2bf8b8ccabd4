import { type Db, sql } from '../../platform/db/db.ts'
import { ApiError, invalidField } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { type Static, Type } from '../../platform/schema.ts'
import type { Secrets } from '../../platform/secret.ts'
import { appendAudit } from './audit.ts'
import { useLink } from './link.ts'
import { findByEmail } from './operator.ts'
import { verifyPassword } from './password.ts'
import { describeSession, findSession, openSession, Session, sessionOf } from './session.ts'

const Input = Type.Object({
  token: Type.Optional(Type.String({ maxLength: 200, description: 'Token of a one-time link.' })),
  email: Type.Optional(Type.String({ maxLength: 320 })),
  password: Type.Optional(Type.String({ maxLength: 200 })),
  workspaceId: Type.Optional(Type.String({ maxLength: 64 })),
  authToken: Type.Optional(Type.String({ maxLength: 200, description: 'Auth token of the workspace.' })),
})

/** Opens a session by a one-time link, by a password, or by the token of a workspace (an admin of that workspace). */
export const signIn = operation({
  path: '/console/api/session/sign-in',
  auth: 'none',
  access: 'write',
  summary: 'Sign in to the console',
  input: Input,
  output: Session,
  errors: ['UNAUTHENTICATED'],
  message: 'Signed in.',
}).run(async ({ db, input, secrets, config, request }) => {
  const opener = await openerOf(db, secrets, input)
  // A cookie from before the sign-in is never taken over, so nobody can plant a session.
  const token = await openSession(db, opener)
  const session = sessionOf({ session: await findSession(db, token) })
  const { email: actor, role, workspaceId } = session
  const about = { actor, role, door: 'console', address: request.clientAddress, workspaceId, apiKey: null }
  await appendAudit(db, { ...about, action: '/console/api/session/sign-in', detail: { by: doorOf(input) } })
  request.console?.setCookie(token)
  return describeSession(session, config.console === 'read-only')
})

type Input = Static<typeof Input>

/** Which door a sign-in takes. */
export const doorOf = ({ token, email }: Input): string =>
  token !== undefined ? 'link' : email !== undefined ? 'password' : 'workspace token'

async function openerOf(db: Db, secrets: Secrets, input: Input) {
  const { token, email, password, workspaceId, authToken } = input
  if (token !== undefined) {
    const operatorId = await useLink(db, token)
    if (operatorId === undefined) throw refusal('This link was used, replaced or has expired. Ask for a new one.')
    return { operatorId }
  }
  if (email !== undefined && password !== undefined) {
    const operator = await findByEmail(db, email)
    const matches = await verifyPassword(password, operator?.password ?? null)
    if (!operator || !matches) throw refusal('The address or the password is wrong.')
    return { operatorId: operator.id }
  }
  if (workspaceId !== undefined && authToken !== undefined) {
    const [workspace] = await db.query<{ token_hash: string }>(sql`
      select token_hash from workspace where id = ${workspaceId}`)
    if (!workspace || !secrets.verify(authToken, workspace.token_hash)) {
      throw refusal('The workspace or its token is wrong.')
    }
    return { workspaceId, tokenHash: workspace.token_hash }
  }
  throw invalidField('', 'Send token, or email and password, or workspaceId and authToken')
}

const refusal = (message: string) => new ApiError('UNAUTHENTICATED', message)
