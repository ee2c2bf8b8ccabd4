import { isDeepStrictEqual } from 'node:util'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { identifier, oneOf, type Static, Type } from '../../../platform/schema.ts'
import type { Secrets } from '../../../platform/secret.ts'
import type { User } from '../../users/user.ts'
import { readOptions } from '../../workspaces/setting/api-key-options.ts'

/** Who may see a thread. */
export const Visibility = Type.Object({
  type: oneOf(
    ['public', 'organizationPrivate', 'restricted'],
    'public: whoever sees the document; organizationPrivate: users of the organization; restricted: the listed users.',
  ),
  organizationId: Type.Optional(identifier('The organization of a thread that is organizationPrivate.')),
  userIds: Type.Optional(Type.Array(identifier('Id of a user.'), { description: 'Who sees a restricted thread.' })),
})
export type Visibility = Static<typeof Visibility>

/** Everybody who may see the document sees the thread. */
export const PUBLIC: Visibility = { type: 'public' }

/** The message for an item that needs private comments while the API key has not enabled them. */
export const PRIVATE_COMMENTS_DISABLED =
  'Private comments are not enabled for this API key. Enable them via POST /v2/workspace/apikeyconfig/update with ' +
  'enablePrivateComments: true.'

/** Completes a visibility. A restricted thread always admits its author. */
export function toVisibility(sent: Visibility | undefined, author: User, organizationId: string): Visibility {
  if (sent?.type === 'restricted')
    return { type: 'restricted', userIds: [...new Set([author.userId, ...(sent.userIds ?? [])])] }
  if (sent?.type === 'organizationPrivate')
    return { type: 'organizationPrivate', organizationId: sent.organizationId ?? organizationId }
  return PUBLIC
}

/** A visibility that follows another: that one itself where it admits the same users, in whatever order. */
export function changedVisibility(before: Visibility, after: Visibility): Visibility {
  const compared = (visibility: Visibility) => ({ ...visibility, userIds: new Set(visibility.userIds) })
  return isDeepStrictEqual(compared(before), compared(after)) ? before : after
}

/** Whether the visibility admits a user by id. It does not check membership of an organization. */
export const admits = ({ type, userIds }: Visibility, userId: string): boolean =>
  type !== 'restricted' || userIds?.includes(userId) === true

/** Whether a thread of the visibility is not for everybody; without one it is. */
export const isPrivate = (visibility: Visibility | undefined): boolean =>
  visibility !== undefined && visibility.type !== 'public'

/** Throws FAILED_PRECONDITION if the visibility needs private comments and the API key has not enabled them. */
export async function assertVisibility(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
  visibility: Visibility | undefined,
): Promise<void> {
  if (!isPrivate(visibility)) return
  if (!(await readOptions(db, tenant, secrets)).isPrivateCommentsEnabled)
    throw new ApiError('FAILED_PRECONDITION', PRIVATE_COMMENTS_DISABLED)
}
