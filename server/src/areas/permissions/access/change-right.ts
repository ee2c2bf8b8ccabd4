import type { ApiKeyTenant } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import { ApiError, type Issue } from '../../../platform/errors.ts'
import { keyOf } from '../../../platform/id.ts'
import { Type } from '../../../platform/schema.ts'
import { decide } from './access.ts'

/** The parameter of updates and deletions that judges what `actionUser` may change. */
export const verifyChangeInput = {
  verifyUserPermissions: Type.Optional(
    Type.Boolean({
      description:
        'True: `actionUser` is required and must have access to the document. A viewer changes only what is the ' +
        "viewer's own, an editor everything.",
    }),
  ),
}

/** What a call says of the user whose permissions it verifies. */
export interface Verified {
  verifyUserPermissions?: boolean
  actionUser?: { userId: string }
}

/** Requires the user whose permissions are to be verified. */
export const verifyChangeIssues = ({ verifyUserPermissions, actionUser }: Verified): Issue[] =>
  verifyUserPermissions && !actionUser
    ? [{ path: 'actionUser', message: 'is required when verifyUserPermissions is true' }]
    : []

/** Whether `actionUser` may change what the user wrote. */
export type MayChange = (authorId: string | undefined) => boolean

/** The message for an item that a viewer may not change, because another user wrote it. */
export const NOT_OWN = "A viewer may change only what is the viewer's own."

/**
 * Returns what `actionUser` may change in the document: everything as an editor, or where nothing is to be verified;
 * the user's own as a viewer. Throws PERMISSION_DENIED if the user has no access to the document.
 */
export async function rightToChange(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, documentKey }: { organizationKey: string; documentKey: string },
  { verifyUserPermissions, actionUser }: Verified,
): Promise<MayChange> {
  if (!verifyUserPermissions || !actionUser) return () => true
  const { userId } = actionUser
  const check = { userKey: keyOf(userId), type: 'document' as const, key: documentKey, action: 'edit' as const }
  const [decision] = await decide(db, tenant, organizationKey, [check])
  if (decision?.allowed) return () => true
  if (decision?.reason === 'viewer') return (authorId) => authorId === userId
  throw new ApiError('PERMISSION_DENIED', `The user ${userId} has no access to the document.`)
}
