import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { movedThreads, threadsMoved } from '../comments/change/threads-moved.ts'
import { deletesWithLocation, movesWithLocation } from '../locations/location-reactions.ts'

/** Deletes the notifications of a location with its data. */
export const deleteNotificationsOfLocations = deletesWithLocation('notification')

/** Moves notifications with their location. */
export const moveNotificationsOfLocations = movesWithLocation('notification')

/** Moves the notifications of a thread with it. */
export const moveNotificationsOfThreads = on(threadsMoved, async ({ db, tenant }, threads) => {
  await db.query(sql`
    update notification n
    set location_key = m.new_key,
      record = n.record - 'location'
        || case when m.location is null then '{}' else jsonb_build_object('location', m.location) end
    from ${movedThreads(threads)}
    where n.api_key = ${tenant.apiKey} and n.organization_key = m.organization_key
      and n.annotation_key = m.annotation_key`)
})
