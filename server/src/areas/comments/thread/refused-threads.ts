import type { ApiKeyTenant } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { readOptions } from '../../workspaces/setting/api-key-options.ts'
import type { AnnotationInput } from './annotation-input.ts'
import { isPrivate, PRIVATE_COMMENTS_DISABLED } from './visibility.ts'

/** Whether private ones among new threads are accepted; it reads nothing if there are none. */
export const mayBePrivate = async (db: Db, tenant: ApiKeyTenant, secrets: Secrets, threads: AnnotationInput[]) =>
  threads.some(({ visibility }) => isPrivate(visibility)) &&
  (await readOptions(db, tenant, secrets)).isPrivateCommentsEnabled

/** Who wrote the comments that a thread begins with. */
export const authorsOf = ({ commentData }: AnnotationInput) => commentData.map(({ from }) => from.userId)

/**
 * Why new threads are refused, by id: they are private where private comments are off, or an author has no access to
 * the document.
 */
export function refusals(
  threads: (AnnotationInput & { id: string })[],
  privateAllowed: boolean,
  denied: ReadonlySet<string>,
): Map<string, string> {
  const reasonOf = (item: AnnotationInput) => {
    if (!privateAllowed && isPrivate(item.visibility)) return PRIVATE_COMMENTS_DISABLED
    const author = authorsOf(item).find((userId) => denied.has(userId))
    return author === undefined ? undefined : `The user ${author} has no access to the document.`
  }
  return new Map(
    threads.flatMap((item) => {
      const reason = reasonOf(item)
      return reason === undefined ? [] : [[item.id, reason]]
    }),
  )
}
