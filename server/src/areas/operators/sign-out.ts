import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { endSession, sessionOf } from './access/session.ts'

/** Ends the session: its cookie is worth nothing from then on. */
export const signOut = operation({
  path: '/console/api/session/sign-out',
  auth: 'none',
  access: 'write',
  administers: true,
  summary: 'Sign out',
  input: Type.Object({}),
  output: null,
  errors: ['UNAUTHENTICATED'],
  message: 'Signed out.',
}).run(async ({ db, request }) => {
  await endSession(db, sessionOf(request.console?.session).hash)
  request.console?.setCookie('session', null)
})
