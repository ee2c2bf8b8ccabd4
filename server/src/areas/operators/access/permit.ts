import type { Config } from '../../../platform/config.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/http/administration.ts'
import type { NamedOperation } from '../../../platform/operation.ts'
import type { ConsoleSession } from './console-caller.ts'
import { isAudited } from './right.ts'
import { mayCall } from './role.ts'
import { isMachine } from './session.ts'

interface Declared {
  path: string
  access: 'read' | 'write'
}

/** What everybody may do with their own session, even while the console is read-only. */
const OF_THE_SESSION = /^\/console\/api\/session\//

/**
 * PERMISSION_DENIED unless the role may call the operation and the console may change what it changes. A read-only
 * console binds no command on the machine itself, which could stop the server and go on.
 */
export function assertMay(
  { role, ofThisMachine }: ConsoleSession,
  { path, access }: Declared,
  { console }: Pick<Config, 'console'>,
  data?: { workspace?: unknown },
): void {
  if (!mayCall(role, path, data)) throw new ApiError('PERMISSION_DENIED', `The role ${role} may not call ${path}.`)
  if (console === 'read-only' && access === 'write' && !ofThisMachine && !OF_THE_SESSION.test(path)) {
    throw new ApiError('PERMISSION_DENIED', 'The console is read-only on this server (CONSOLE=read-only).')
  }
}

/** Who stands in the audit record of a call by the console; undefined for a call that leaves none. */
export function callerOf(session: ConsoleSession, declared: NamedOperation['declaration']): Caller | undefined {
  const { email: actor, role, workspaceId } = session
  return isAudited(declared) ? { actor, role, door: isMachine(session) ? 'api' : 'console', workspaceId } : undefined
}
