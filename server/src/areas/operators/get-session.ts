import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { describeSession, Session, sessionOf } from './access/session.ts'

/** Returns the session of the caller. */
export const getSession = operation({
  path: '/console/api/session/get',
  auth: 'none',
  access: 'read',
  summary: 'Get the session',
  input: Type.Object({}),
  output: Session,
  errors: ['UNAUTHENTICATED'],
  message: 'Session retrieved.',
}).run(async ({ request, config }) =>
  describeSession(sessionOf(request.console?.session), config.console === 'read-only'),
)
