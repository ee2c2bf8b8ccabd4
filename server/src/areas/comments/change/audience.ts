import { groupBy } from '../../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, together } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { hasFields } from '../../permissions/access/access-fields.ts'
import { removedAmong } from '../../permissions/access/removed-user.ts'
import { type MaySee, readMaySee } from '../thread/may-see.ts'
import type { Place } from '../thread/place.ts'
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

/** The audience where no thread is private to an organization or takes access fields, and nobody was removed. */
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
  const ofHolders = changes.filter(({ annotation }) => annotation.context?.access !== undefined)
  if ([...ofMembers, ...ofPlacesLeft, ...ofHolders].length === 0) return undefined
  return (async () => {
    const [maySee = byIdAlone, removed, lacking] = await together([
      ofMembers.length === 0 ? Promise.resolve(undefined) : readMembers(db, tenant, ofMembers),
      readRemoved(db, tenant, ofPlacesLeft),
      readLacking(db, tenant, ofHolders),
    ])
    return {
      isShown: ({ annotation, visibility, people, place }, userId) =>
        maySee(visibility, people.author, userId) &&
        removed.get(place)?.get(userId)?.isLetIn !== false &&
        lacking.get(annotation)?.has(userId) !== true,
      isRemoved: ({ place }, userId) => removed.get(place)?.has(userId) === true,
    }
  })()
}

/** Reads who sees threads that are private to an organization. */
function readMembers(db: Db, tenant: ApiKeyTenant, changes: CommentChange[]): Promise<MaySee> {
  const userIds = new Set([...peopleByPlace(changes).values()].flatMap((people) => [...people]))
  const visibilities = changes.map(({ visibility }) => visibility)
  return readMaySee(db, tenant, visibilities, [...userIds].map(keyOf))
}

/** Reads who of the people was removed from the organization, place by place, and whether the document lets them in. */
async function readRemoved(db: Db, tenant: ApiKeyTenant, changes: CommentChange[]) {
  const visits = [...peopleByPlace(changes)].flatMap(([place, people]) =>
    Array.from(people, (userId) => {
      const { organizationKey, documentKey } = place
      return { place, organizationKey, documentKey, userId }
    }),
  )
  const removed = new Map<Place, Map<string, { isLetIn: boolean }>>()
  for (const { visit, isLetIn } of await removedAmong(db, tenant, visits)) {
    const ofPlace = removed.get(visit.place) ?? new Map()
    removed.set(visit.place, ofPlace.set(visit.userId, { isLetIn }))
  }
  return removed
}

/** So many people are looked at in one statement. */
const PORTION = 1_000

/** Reads who of the people lacks an access field that the context of a thread takes, thread by thread. */
async function readLacking(db: Db, tenant: ApiKeyTenant, changes: CommentChange[]) {
  const viewings = [...groupBy(changes, ({ annotation }) => annotation)].flatMap(([annotation, ofThread]) =>
    [...peopleByPlace(ofThread)].flatMap(([{ organizationKey, documentKey }, people]) =>
      Array.from(people, (userId) => {
        return { organizationKey, documentKey, annotation, context: annotation.context, userId }
      }),
    ),
  )
  const lacking = new Map<CommentChange['annotation'], Set<string>>()
  for (const [organizationKey, ofOne] of groupBy(viewings, (viewing) => viewing.organizationKey)) {
    for (let from = 0; from < ofOne.length; from += PORTION) {
      const portion = ofOne.slice(from, from + PORTION)
      const holds = await hasFields(db, tenant, organizationKey, portion)
      for (const { annotation, userId } of portion.filter((_, index) => !holds[index]))
        lacking.set(annotation, (lacking.get(annotation) ?? new Set<string>()).add(userId))
    }
  }
  return lacking
}

/** The people whom the payloads of changes name as people to tell. Those of a thread are looked at once. */
function peopleByPlace(changes: CommentChange[]): Map<Place, Set<string>> {
  const byPlace = new Map<Place, Set<string>>()
  const add = ({ place }: CommentChange, userIds: Iterable<string>) => {
    const people = byPlace.get(place) ?? new Set()
    byPlace.set(place, people)
    for (const userId of userIds) people.add(userId)
  }
  for (const change of new Map(changes.map((each) => [each.annotation, each])).values()) {
    add(change, change.annotation.involvedUserIds)
    add(
      change,
      change.people.subscribers.map(({ userId }) => userId),
    )
  }
  for (const change of changes) add(change, change.comment?.to.map(({ userId }) => userId) ?? [])
  return byPlace
}
