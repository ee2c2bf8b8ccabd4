import { empty, sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { migratedLocation } from '../locations/location.ts'
import { locationDataDeleted, locationUpdated } from '../locations/location-event.ts'

interface At {
  documentKey: string
  organizationKey: string | null
  locationKey: string
}

/** Deletes the recordings of a location with its data. */
export const deleteRecordingsOfLocations = on(locationDataDeleted, async ({ db, tenant }, payloads) => {
  for (const payload of payloads) {
    await db.query(sql`delete from recording where api_key = ${tenant.apiKey} and ${at(payload)}`)
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
      where api_key = ${tenant.apiKey} and ${at({ ...payload, locationKey: payload.oldKey })}`)
  }
})

const at = ({ documentKey, organizationKey, locationKey }: At) => sql`
  document_key = ${documentKey} and location_key = ${locationKey}
  ${organizationKey === null ? empty : sql`and organization_key = ${organizationKey}`}`
