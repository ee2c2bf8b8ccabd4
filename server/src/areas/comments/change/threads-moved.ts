import { isDeepStrictEqual } from 'node:util'
import { type Emit, internalEvent } from '../../../platform/event.ts'
import { type Location, locationKey } from '../../locations/location.ts'
import type { Thread } from '../thread/thread.ts'

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
