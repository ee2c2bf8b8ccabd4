import type { ApiKeyTenant } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import type { CommentChange } from '../../comments/change/change.ts'
import { readMaySee } from '../../comments/thread/may-see.ts'
import { decide } from '../../permissions/access/access.ts'
import { hasFields } from '../../permissions/access/access-fields.ts'
import type { User } from '../../users/user.ts'

/** A change, and people who might be told of it. */
interface Changed {
  change: CommentChange
  people: { user: User }[]
}

type MayBeTold = (change: CommentChange, user: User) => boolean

/**
 * Tells who may be told of a change: those who may view the document and see the thread, and hold its access fields.
 */
export async function readMayBeTold(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  changes: Changed[],
): Promise<MayBeTold> {
  const userKeys = [...new Set(changes.flatMap(({ people }) => people.map(({ user }) => keyOf(user.userId))))]
  const visibilities = changes.map(({ change }) => change.visibility)
  const [mayView, maySee, hasAccessFields] = await Promise.all([
    readAccess(db, tenant, organizationKey, changes),
    readMaySee(db, tenant, visibilities, userKeys),
    readFields(db, tenant, organizationKey, changes),
  ])
  return (change, user) =>
    mayView(change, user) &&
    maySee(change.visibility, change.people.author, user.userId) &&
    hasAccessFields(change, user)
}

/** Checks access to documents. Users whose access is temporarily disabled are notified all the same. */
async function readAccess(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  changes: Changed[],
): Promise<MayBeTold> {
  const pairs = new Map(
    changes.flatMap(({ change: { place }, people }) =>
      people.map(({ user }) => {
        const check = { userKey: keyOf(user.userId), type: 'document' as const, key: place.documentKey }
        return [`${check.key} ${check.userKey}`, { ...check, action: 'view' as const }]
      }),
    ),
  )
  const decisions = await decide(db, tenant, organizationKey, [...pairs.values()], { evenDisabled: true })
  const allowed = new Set([...pairs.keys()].filter((_, index) => decisions[index]?.allowed))
  return ({ place }, { userId }) => allowed.has(`${place.documentKey} ${keyOf(userId)}`)
}

/** Checks the access fields that the context of a thread takes. */
async function readFields(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  changes: Changed[],
): Promise<MayBeTold> {
  const pairs = changes.flatMap(({ change, people }) => people.map(({ user }) => ({ change, user })))
  const viewings = pairs.map(({ change: { place, annotation }, user: { userId } }) => {
    return { documentKey: place.documentKey, userId, context: annotation.context }
  })
  const holds = await hasFields(db, tenant, organizationKey, viewings)
  const lacking = new Set(
    pairs.filter((_, index) => !holds[index]).map(({ change, user }) => `${change.annotationKey} ${user.userId}`),
  )
  return ({ annotationKey }, { userId }) => !lacking.has(`${annotationKey} ${userId}`)
}
