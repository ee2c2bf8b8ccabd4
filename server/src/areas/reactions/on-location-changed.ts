import { json, sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { threadsMoved } from '../comments/change/threads-moved.ts'
import { migratedLocation } from '../locations/location.ts'
import { isAt, locationDataDeleted, locationUpdated } from '../locations/location-event.ts'

/** Deletes the reactions of a location with its data. */
export const deleteReactionsOfLocations = on(locationDataDeleted, async ({ db, tenant }, payloads) => {
  for (const payload of payloads) {
    await db.query(sql`
      delete from reaction where api_key = ${tenant.apiKey} and ${isAt(payload, payload.locationKey)}`)
  }
})

/** Moves reactions with their location. */
export const moveReactionsOfLocations = on(locationUpdated, async ({ db, tenant }, payloads) => {
  for (const payload of payloads) {
    const location = migratedLocation(sql`record -> 'location'`, payload)
    await db.query(sql`
      update reaction
      set location_key = ${payload.newKey}::uuid, record = record || jsonb_build_object('location', ${location})
      where api_key = ${tenant.apiKey} and ${isAt(payload, payload.oldKey)}`)
  }
})

/** Moves reactions with their thread; those that were added at another location stay there. */
export const moveReactionsOfThreads = on(threadsMoved, async ({ db, tenant }, threads) => {
  await db.query(sql`
    update reaction r
    set location_key = m.new_key,
      record = r.record - 'location'
        || case when m.location is null then '{}' else jsonb_build_object('location', m.location) end
    from unnest(
      ${threads.map(({ organizationKey }) => organizationKey)}::uuid[],
      ${threads.map(({ annotationKey }) => annotationKey)}::uuid[],
      ${threads.map(({ oldKey }) => oldKey)}::uuid[],
      ${threads.map(({ newKey }) => newKey)}::uuid[],
      ${threads.map(({ location }) => (location === null ? null : json(location)))}::jsonb[]
    ) as m (organization_key, annotation_key, old_key, new_key, location)
    where r.api_key = ${tenant.apiKey} and r.organization_key = m.organization_key
      and r.annotation_key = m.annotation_key and r.location_key is not distinct from m.old_key`)
})
