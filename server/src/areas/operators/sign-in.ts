import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { appendAudit } from '../audit/audit.ts'
import { changed } from '../audit/redact.ts'
import { operatorStateOf } from './access/operator.ts'
import { describeSession, endSession, findSession, openSession, Session, sessionOf } from './access/session.ts'
import { findOpener } from './fence/find-opener.ts'

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
  const opener = await findOpener(db, { secrets, config }, input, request.console)
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
