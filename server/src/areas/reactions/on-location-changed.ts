import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { movedThreads, threadsMoved } from '../comments/change/threads-moved.ts'
import { deletesWithLocation, movesWithLocation } from '../locations/location-reactions.ts'

/** Deletes the reactions of a location with its data. */
export const deleteReactionsOfLocations = deletesWithLocation('reaction')

/** Moves reactions with their location. */
export const moveReactionsOfLocations = movesWithLocation('reaction')

/** Moves reactions with their thread; those that were added at another location stay there. */
export const moveReactionsOfThreads = on(threadsMoved, async ({ db, tenant }, threads) => {
  await db.query(sql`
    update reaction r
    set location_key = m.new_key,
      record = r.record - 'location'
        || case when m.location is null then '{}' else jsonb_build_object('location', m.location) end
    from ${movedThreads(threads)}
    where r.api_key = ${tenant.apiKey} and r.organization_key = m.organization_key
      and r.annotation_key = m.annotation_key and r.location_key is not distinct from m.old_key`)
})
