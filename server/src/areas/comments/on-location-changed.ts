import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { migratedLocation } from '../locations/location.ts'
import { locationDataDeleted, locationUpdated } from '../locations/location-event.ts'

/** Deletes the threads of a location with its data, and with them their comments and reactions. */
export const deleteThreadsOfLocations = on(locationDataDeleted, async ({ db, tenant }, payloads) => {
  for (const { documentKey, organizationKey, locationKey } of payloads) {
    await db.query(sql`
      delete from comment_annotation a
      using document d
      where d.api_key = ${tenant.apiKey} and d.key = ${documentKey}
        and (${organizationKey}::uuid is null or d.organization_key = ${organizationKey}::uuid)
        and a.api_key = ${tenant.apiKey} and a.organization_key = d.organization_key and a.document_key = d.key
        and a.location_key = ${locationKey}`)
  }
})

/** Moves threads with their location. */
export const moveThreadsOfLocations = on(locationUpdated, async ({ db, tenant }, payloads) => {
  for (const payload of payloads) {
    const { documentKey, organizationKey, oldKey, newKey } = payload
    const location = migratedLocation(sql`a.record -> 'location'`, payload)
    await db.query(sql`
      update comment_annotation a
      set location_key = ${newKey}::uuid, record = a.record || jsonb_build_object('location', ${location}),
        updated_at = greatest(a.updated_at, now_ms())
      from document d
      where d.api_key = ${tenant.apiKey} and d.key = ${documentKey}
        and (${organizationKey}::uuid is null or d.organization_key = ${organizationKey}::uuid)
        and a.api_key = ${tenant.apiKey} and a.organization_key = d.organization_key and a.document_key = d.key
        and a.location_key = ${oldKey}::uuid`)
  }
})
