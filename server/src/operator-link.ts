import { auditCommand } from './areas/audit/audit-call.ts'
import { createOperatorLink, FIRST_OPERATOR } from './areas/operators/access/link.ts'
import type { Role } from './areas/operators/access/role.ts'
import type { Database } from './platform/db/db.ts'

interface Wanted {
  /** Default: the first operator. */
  email?: string | undefined
  role?: Role | undefined
  workspaceId?: string | undefined
  /** Who makes it: a command on the machine, or the start of the server. */
  door: 'command' | 'start'
}

/** Makes a sign-in link on the machine of the server, and its audit record. Returns the token. */
export const makeOperatorLink = (
  database: Database,
  { email = FIRST_OPERATOR, role, workspaceId, door }: Wanted,
): Promise<string> =>
  database.transaction(async (db) => {
    const token = await createOperatorLink(db, email, { role, workspaceId })
    const detail = { email, role: role ?? null }
    await auditCommand(db, { action: 'operator link', door, workspaceId: workspaceId ?? null, detail })
    return token
  })
