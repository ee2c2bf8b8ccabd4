import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { keyOf } from '../../../platform/id.ts'
import { hasFields, holdsFields } from '../../permissions/access-fields.ts'

/** SQL condition: the user has the access fields that the context of `comment_annotation a` takes. */
export const hasThreadFields = (apiKey: string, organizationKey: string, userId: string): Sql =>
  holdsFields(apiKey, organizationKey, {
    documentKey: sql`a.document_key`,
    userKey: sql`${keyOf(userId)}::uuid`,
    access: sql`a.record #> '{context,access}'`,
  })

/** SQL condition on `comment_annotation a`: it is shown to the user whose permissions the call verifies, if any. */
export const shownToVerified = (
  apiKey: string,
  organizationKey: string,
  { verifyUserPermissions, actionUser }: { verifyUserPermissions?: boolean; actionUser?: { userId: string } },
): Sql =>
  verifyUserPermissions && actionUser ? hasThreadFields(apiKey, organizationKey, actionUser.userId) : sql`true`

/** Throws PERMISSION_DENIED naming the first user who lacks an access field that the context of the thread takes. */
export async function assertShownTo(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, documentKey }: { organizationKey: string; documentKey: string },
  { id, record: { context } }: { id: string; record: { context?: Record<string, unknown> } },
  userIds: string[],
): Promise<void> {
  const viewings = userIds.map((userId) => ({ documentKey, userId, context }))
  const holds = await hasFields(db, tenant, organizationKey, viewings)
  const denied = userIds.find((_, index) => !holds[index])
  if (denied === undefined) return
  throw new ApiError('PERMISSION_DENIED', `The user ${denied} lacks an access field of the annotation ${id}.`)
}
