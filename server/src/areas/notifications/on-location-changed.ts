import { json, sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { threadsMoved } from '../comments/change/threads-moved.ts'
import { migratedLocation } from '../locations/location.ts'
import { isAt, locationDataDeleted, locationUpdated } from '../locations/location-event.ts'

/** Deletes the notifications of a location with its data. */
export const deleteNotificationsOfLocations = on(locationDataDeleted, async ({ db, tenant }, payloads) => {
  for (const payload of payloads) {
    await db.query(sql`
      delete from notification where api_key = ${tenant.apiKey} and ${isAt(payload, payload.locationKey)}`)
  }
})

/** Moves notifications with their location. */
export const moveNotificationsOfLocations = on(locationUpdated, async ({ db, tenant }, payloads) => {
  for (const payload of payloads) {
    const location = migratedLocation(sql`record -> 'location'`, payload)
    await db.query(sql`
      update notification
      set location_key = ${payload.newKey}::uuid, record = record || jsonb_build_object('location', ${location})
      where api_key = ${tenant.apiKey} and ${isAt(payload, payload.oldKey)}`)
  }
})

/** Moves the notifications of a thread with it. */
export const moveNotificationsOfThreads = on(threadsMoved, async ({ db, tenant }, threads) => {
  await db.query(sql`
    update notification n
    set location_key = m.new_key,
      record = n.record - 'location'
        || case when m.location is null then '{}' else jsonb_build_object('location', m.location) end
    from unnest(
      ${threads.map(({ organizationKey }) => organizationKey)}::uuid[],
      ${threads.map(({ annotationKey }) => annotationKey)}::uuid[],
      ${threads.map(({ newKey }) => newKey)}::uuid[],
      ${threads.map(({ location }) => (location === null ? null : json(location)))}::jsonb[]
    ) as m (organization_key, annotation_key, new_key, location)
    where n.api_key = ${tenant.apiKey} and n.organization_key = m.organization_key
      and n.annotation_key = m.annotation_key`)
})
