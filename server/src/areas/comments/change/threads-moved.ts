import { isDeepStrictEqual } from 'node:util'
import { json, raw, type Sql, sql } from '../../../platform/db/db.ts'
import { type Emit, internalEvent, on, type Subscription } from '../../../platform/event.ts'
import { type Location, locationKey } from '../../locations/location.ts'
import type { Thread } from '../thread/thread.ts'
import { assertFits, countRows, largeOf } from './repeated.ts'

/** A thread whose location an update changed. Null: none. */
export interface MovedThread {
  organizationKey: string
  annotationKey: string
  oldKey: string | null
  newKey: string | null
  location: Location | null
}

/** Threads got another location. What is at the old one because of a thread moves along; each area moves its own. */
export const threadsMoved = internalEvent<MovedThread>('threadsMoved')

/** The moves as a table `m` of SQL, for the statement that moves the rows of an area. */
export const movedThreads = (threads: MovedThread[]): Sql => sql`
  unnest(
    ${threads.map(({ organizationKey }) => organizationKey)}::uuid[],
    ${threads.map(({ annotationKey }) => annotationKey)}::uuid[],
    ${threads.map(({ oldKey }) => oldKey)}::uuid[],
    ${threads.map(({ newKey }) => newKey)}::uuid[],
    ${threads.map(({ location }) => (location === null ? null : json(location)))}::jsonb[]
  ) as m (organization_key, annotation_key, old_key, new_key, location)`

/** A reaction by which the rows of a table `t`, and the location in their records, move with their thread. */
export const movesWithThread = (table: string, { onlyThose = sql`true` }: { onlyThose?: Sql } = {}): Subscription =>
  on(threadsMoved, async ({ db, tenant: { apiKey } }, threads) => {
    const large = largeOf(threads.map((thread) => ({ ...thread, value: thread.location })))
    if (large.length > 0) {
      const rows = sql`${movedThreads(large)}
        join ${raw(table)} t
          on t.api_key = ${apiKey} and t.organization_key = m.organization_key and t.annotation_key = m.annotation_key
            and ${onlyThose}`
      assertFits(large, await countRows(db, rows), 'The location')
    }
    await db.query(sql`
      update ${raw(table)} t
      set location_key = m.new_key,
        record = t.record - 'location'
          || case when m.location is null then '{}' else jsonb_build_object('location', m.location) end
      from ${movedThreads(threads)}
      where t.api_key = ${apiKey} and t.organization_key = m.organization_key
        and t.annotation_key = m.annotation_key and ${onlyThose}`)
  })

/** Emits those of the updated threads whose location has changed. */
export async function emitMoves(
  emit: Emit,
  organizationKey: string,
  updates: { before: Thread; thread: Thread }[],
): Promise<void> {
  const moved = updates.flatMap(({ before, thread }): MovedThread[] => {
    const [old, location] = [before.record.location, thread.record.location]
    if (isDeepStrictEqual(old, location)) return []
    const [oldKey, newKey] = [locationKey(old), locationKey(location)]
    return [{ organizationKey, annotationKey: thread.key, oldKey, newKey, location: location ?? null }]
  })
  if (moved.length > 0) await emit(threadsMoved, moved)
}
