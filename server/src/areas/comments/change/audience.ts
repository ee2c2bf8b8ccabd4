import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, together } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { removedAmong, type Visit } from '../../permissions/removed-user.ts'
import { type MaySee, readMaySee } from '../thread/may-see.ts'
import { admits } from '../thread/visibility.ts'
import type { CommentChange } from './change.ts'

/** Whom the payloads of changes may name as people to tell. */
export interface Audience {
  /** Whether a user may be told of a change. */
  isShown: (change: CommentChange, userId: string) => boolean
  /** Whether a user was removed from the organization of a change, which ends subscriptions. */
  isRemoved: (change: CommentChange, userId: string) => boolean
}

const byIdAlone: MaySee = (visibility, _author, userId) => admits(visibility, userId)

/** The audience where no thread is private to an organization, and nobody was removed from one. */
export const ANYBODY: Audience = {
  isShown: ({ visibility, people }, userId) => byIdAlone(visibility, people.author, userId),
  isRemoved: () => false,
}

/**
 * Reads the audience of changes; undefined where it is anybody. With the organization its memberships go too, so such a
 * deletion is told as to all of them.
 */
export function readAudience(db: Db, tenant: ApiKeyTenant, told: CommentChange[]): Promise<Audience> | undefined {
  const changes = told.filter(({ goesWith }) => goesWith !== 'organization')
  const ofMembers = changes.filter(({ visibility }) => visibility.type === 'organizationPrivate')
  const ofPlacesLeft = changes.filter(({ place }) => place.hasRemovedUsers)
  if (ofMembers.length === 0 && ofPlacesLeft.length === 0) return undefined
  return (async () => {
    const [maySee = byIdAlone, removed] = await together([
      ofMembers.length === 0 ? Promise.resolve(undefined) : readMembers(db, tenant, ofMembers),
      readRemoved(db, tenant, ofPlacesLeft),
    ])
    const entryOf = ({ place }: CommentChange, userId: string) => removed.get(visitKey({ ...place, userId }))
    return {
      isShown: (change, userId) =>
        maySee(change.visibility, change.people.author, userId) && entryOf(change, userId)?.isLetIn !== false,
      isRemoved: (change, userId) => entryOf(change, userId) !== undefined,
    }
  })()
}

/** Reads who sees threads that are private to an organization. */
function readMembers(db: Db, tenant: ApiKeyTenant, changes: CommentChange[]): Promise<MaySee> {
  const userIds = new Set(changes.flatMap(involvedIn))
  const visibilities = changes.map(({ visibility }) => visibility)
  return readMaySee(db, tenant, visibilities, [...userIds].map(keyOf))
}

/** Reads who of the people was removed from the organization. */
async function readRemoved(db: Db, tenant: ApiKeyTenant, changes: CommentChange[]) {
  const visits = new Map(
    changes.flatMap((change) => {
      const { organizationKey, documentKey } = change.place
      return involvedIn(change).map((userId) => {
        const visit = { organizationKey, documentKey, userId }
        return [visitKey(visit), visit]
      })
    }),
  )
  const found = await removedAmong(db, tenant, [...visits.values()])
  return new Map(found.map(({ visit, isLetIn }) => [visitKey(visit), { isLetIn }]))
}

const visitKey = ({ organizationKey, documentKey, userId }: Visit) => `${organizationKey} ${documentKey} ${userId}`

/** The people whom a payload names as people to tell. */
const involvedIn = ({ annotation, people, comment }: CommentChange): string[] => [
  ...annotation.involvedUserIds,
  ...people.subscribers.map(({ userId }) => userId),
  ...(comment?.to.map(({ userId }) => userId) ?? []),
]
