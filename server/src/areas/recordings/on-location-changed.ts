import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { migratedLocation } from '../locations/location.ts'
import { isAt, locationDataDeleted, locationUpdated } from '../locations/location-event.ts'

/** Deletes the recordings of a location with its data. */
export const deleteRecordingsOfLocations = on(locationDataDeleted, async ({ db, tenant }, payloads) => {
  for (const payload of payloads) {
    await db.query(sql`
      delete from recording where api_key = ${tenant.apiKey} and ${isAt(payload, payload.locationKey)}`)
  }
})

/** Moves recordings with their location. */
export const moveRecordingsOfLocations = on(locationUpdated, async ({ db, tenant }, payloads) => {
  for (const payload of payloads) {
    const location = migratedLocation(sql`record -> 'location'`, payload)
    await db.query(sql`
      update recording
      set location_key = ${payload.newKey}::uuid, record = record || jsonb_build_object('location', ${location}),
        updated_at = now_ms()
      where api_key = ${tenant.apiKey} and ${isAt(payload, payload.oldKey)}`)
  }
})
