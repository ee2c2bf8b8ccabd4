import { empty, raw, type Sql, sql } from '../../platform/db/db.ts'
import { on, type Subscription } from '../../platform/event.ts'
import { migratedLocation } from './location.ts'
import { isAt, locationDataDeleted, locationUpdated } from './location-event.ts'

/** A reaction that deletes the rows of a table with the data of their location. */
export const deletesWithLocation = (table: string): Subscription =>
  on(locationDataDeleted, async ({ db, tenant: { apiKey } }, locations) => {
    for (const location of locations) {
      await db.query(sql`
        delete from ${raw(table)} where api_key = ${apiKey} and ${isAt(location, location.locationKey)}`)
    }
  })

/** A reaction by which the rows of a table, and the location in their records, move with that location. */
export const movesWithLocation = (table: string, { alsoSet = empty }: { alsoSet?: Sql } = {}): Subscription =>
  on(locationUpdated, async ({ db, tenant: { apiKey } }, locations) => {
    for (const location of locations) {
      const moved = migratedLocation(sql`record -> 'location'`, location)
      await db.query(sql`
        update ${raw(table)}
        set location_key = ${location.newKey}::uuid, record = record || jsonb_build_object('location', ${moved}) ${alsoSet}
        where api_key = ${apiKey} and ${isAt(location, location.oldKey)}`)
    }
  })
