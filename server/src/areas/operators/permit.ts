import type { Config } from '../../platform/config.ts'
import type { ConsoleSession } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Call } from '../../platform/http/execute.ts'
import { appendAudit } from './audit.ts'
import { redacted } from './redact.ts'
import { isAudited } from './right.ts'
import { mayCall } from './role.ts'
import { isMachine } from './session.ts'

interface Declared {
  path: string
  access: 'read' | 'write'
}

/** What everybody may do with their own session, even while the console is read-only. */
const OF_THE_SESSION = /^\/console\/api\/session\//

/** PERMISSION_DENIED unless the role may call the operation and the console may change what it changes. */
export function assertMay(
  { role }: ConsoleSession,
  { path, access }: Declared,
  { console }: Pick<Config, 'console'>,
): void {
  if (!mayCall(role, path)) throw new ApiError('PERMISSION_DENIED', `The role ${role} may not call ${path}.`)
  if (console === 'read-only' && access === 'write' && !OF_THE_SESSION.test(path)) {
    throw new ApiError('PERMISSION_DENIED', 'The console is read-only on this server (CONSOLE=read-only).')
  }
}

/** What a record is about. */
interface About {
  workspaceId: string | null
  apiKey: string | null
}

/** Writes the audit record of a call by the console; undefined for a call that leaves none. */
export function auditOf(
  session: ConsoleSession,
  declared: Declared,
  address: string,
  about: About = { workspaceId: session.workspaceId, apiKey: null },
): Call['record'] {
  if (!isAudited(declared)) return undefined
  const { email: actor, role } = session
  const door = isMachine(session) ? 'api' : 'console'
  const record = { actor, role, door, address, action: declared.path, ...about }
  return (db, input) => appendAudit(db, { ...record, detail: redacted(input) })
}
