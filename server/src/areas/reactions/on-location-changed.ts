import { sql } from '../../platform/db/db.ts'
import { movesWithThread } from '../comments/change/threads-moved.ts'
import { deletesWithLocation, movesWithLocation } from '../locations/location-reactions.ts'

/** Deletes the reactions of a location with its data. */
export const deleteReactionsOfLocations = deletesWithLocation('reaction')

/** Moves reactions with their location. */
export const moveReactionsOfLocations = movesWithLocation('reaction')

/** Moves reactions with their thread; those that were added at another location stay there. */
export const moveReactionsOfThreads = movesWithThread('reaction', {
  onlyThose: sql`t.location_key is not distinct from m.old_key`,
})
