import type { Services } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { ApiError, invalidField } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { type Static, Type } from '../../platform/schema.ts'
import { appendAudit } from '../audit/audit.ts'
import { changed } from '../audit/redact.ts'
import type { ConsoleCaller } from './access/console-caller.ts'
import { useLink } from './access/link.ts'
import { operatorStateOf } from './access/operator.ts'
import {
  describeSession,
  endSession,
  findSession,
  type Opener,
  openSession,
  Session,
  sessionOf,
} from './access/session.ts'
import { isOperatorToken, wrongOperatorToken } from './fence/operator-token.ts'
import { assertPasswords } from './fence/password.ts'
import { oidcOperator } from './oidc/oidc-operator.ts'

const Input = Type.Object({
  token: Type.Optional(Type.String({ maxLength: 200, description: 'Token of a one-time link.' })),
  email: Type.Optional(Type.String({ maxLength: 320 })),
  password: Type.Optional(Type.String({ maxLength: 200 })),
  workspaceId: Type.Optional(Type.String({ maxLength: 64 })),
  authToken: Type.Optional(Type.String({ maxLength: 200, description: 'Auth token of the workspace.' })),
  answer: Type.Optional(
    Type.String({ maxLength: 8000, description: 'The query that the issuer of OpenID Connect answered with.' }),
  ),
  operatorToken: Type.Optional(Type.String({ maxLength: 200, description: '`OPERATOR_TOKEN` of the server.' })),
})

/** Opens a session by a link, a password, OpenID Connect, the operator's token, or a workspace's (as its admin). */
export const signIn = operation({
  path: '/console/api/session/sign-in',
  auth: 'none',
  access: 'write',
  summary: 'Sign in to the console',
  input: Input,
  output: Session,
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'FAILED_PRECONDITION', 'ABORTED', 'UNAVAILABLE'],
  message: 'Signed in.',
  // Attempts are limited and recorded by what is proved, so that is one thing.
  check: ({ token, email, password, workspaceId, authToken, answer, operatorToken }) => {
    const proofs = [token, email ?? password, workspaceId ?? authToken, answer, operatorToken]
    const count = proofs.filter((proof) => proof !== undefined).length
    return count > 1 ? [{ path: '', message: `must hold one way to sign in, not ${count}` }] : []
  },
}).run(async ({ db, input, secrets, config, request }) => {
  const identity = request.console?.identity
  // The issuer may give a new role, or bring somebody unknown.
  const state = async () => (identity ? operatorStateOf(db, identity.email) : null)
  const before = await state()
  const opener = await openerOf(db, { secrets, config }, input, request.console)
  // A session from before is never taken over, so that nobody can plant one. It ends: its browser forgets its cookie.
  if (request.console?.session) await endSession(db, request.console.session.hash)
  const token = await openSession(db, opener)
  const session = sessionOf(await findSession(db, token, () => true))
  const { email: actor, role, workspaceId } = session
  await appendAudit(db, {
    actor,
    role,
    door: 'console',
    address: request.clientAddress,
    requestId: request.id,
    workspaceId,
    apiKey: null,
    action: '/console/api/session/sign-in',
    detail: { by: opener.door },
    ...changed(before, await state()),
  })
  request.console?.setCookie('session', token)
  if (opener.door === 'oidc') request.console?.setCookie('sign-in', null)
  return describeSession(session, config.console === 'read-only')
})

type Input = Static<typeof Input>

async function openerOf(
  db: Db,
  services: Pick<Services, 'secrets' | 'config'>,
  input: Input,
  proved?: Pick<ConsoleCaller, 'identity' | 'passwordHash'>,
): Promise<Opener> {
  const { identity, passwordHash } = proved ?? {}
  const { token, email, password, workspaceId, authToken, operatorToken } = input
  const { secrets, config } = services
  if (identity) return { operatorId: await oidcOperator(db, identity, config), door: 'oidc' }
  if (token !== undefined) {
    const operatorId = await useLink(db, token)
    if (operatorId === undefined) throw refusal('This link was used, replaced or has expired. Ask for a new one.')
    return { operatorId, door: 'link' }
  }
  if (email !== undefined && password !== undefined) {
    assertPasswords(config)
    // It was compared before. A change of it, or a removal of the operator, that is under way comes first.
    const [operator] = await db.query<{ id: string }>(sql`
      select id from operator where lower(email) = lower(${email}) and password = ${passwordHash ?? null} for share`)
    if (!operator) throw refusal('The address or the password is wrong.')
    return { operatorId: operator.id, door: 'password' }
  }
  if (operatorToken !== undefined) {
    if (!isOperatorToken(operatorToken, config)) throw wrongOperatorToken()
    return { operatorTokenHash: secrets.hash(operatorToken), door: 'operator token' }
  }
  if (workspaceId !== undefined && authToken !== undefined) {
    const [workspace] = await db.query<{ token_hash: string }>(sql`
      select token_hash from workspace where id = ${workspaceId}`)
    if (!workspace || !secrets.verify(authToken, workspace.token_hash)) {
      throw refusal('The workspace or its token is wrong.')
    }
    return { workspaceId, tokenHash: workspace.token_hash, door: 'workspace token' }
  }
  throw invalidField('', 'Send token, or email and password, or workspaceId and authToken, or operatorToken')
}

const refusal = (message: string) => new ApiError('UNAUTHENTICATED', message)
