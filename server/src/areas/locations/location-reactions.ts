import { type Db, empty, raw, type Sql, sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { on, type Subscription } from '../../platform/event.ts'
import { bytesOf, CHANGE_BYTES, CHANGE_BYTES_TEXT } from '../../platform/record-size.ts'
import { migratedLocation } from './location.ts'
import { isAt, type LocationUpdated, locationDataDeleted, locationUpdated } from './location-event.ts'

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
      await assertRepeatable(
        db,
        sql`${raw(table)} where api_key = ${apiKey} and ${isAt(location, location.oldKey)}`,
        location,
      )
      const moved = migratedLocation(sql`record -> 'location'`, location)
      await db.query(sql`
        update ${raw(table)}
        set location_key = ${location.newKey}::uuid, record = record || jsonb_build_object('location', ${moved}) ${alsoSet}
        where api_key = ${apiKey} and ${isAt(location, location.oldKey)}`)
    }
  })

/** All records at a location move in one transaction. */
const MOST_RECORDS = 100_000

/**
 * Throws FAILED_PRECONDITION if more than 100,000 rows of a table meet a condition, or as many that they would repeat a
 * new location in more than 32 MiB.
 */
export async function assertRepeatable(db: Db, rows: Sql, { newLocation }: LocationUpdated): Promise<void> {
  const repeatable = Math.floor(CHANGE_BYTES / bytesOf(newLocation))
  const most = Math.min(repeatable, MOST_RECORDS)
  const more = await db.query(sql`select from ${rows} offset ${most} limit 1`)
  if (more.length === 0) return
  const why =
    most === repeatable
      ? `They would repeat the new one in more than ${CHANGE_BYTES_TEXT}; make it smaller.`
      : 'So many do not move at once.'
  throw new ApiError(
    'FAILED_PRECONDITION',
    `More than ${most} records are at the old location. ${why} Nothing was changed.`,
  )
}
