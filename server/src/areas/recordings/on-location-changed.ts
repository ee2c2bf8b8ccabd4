import { sql } from '../../platform/db/db.ts'
import { deletesWithLocation, movesWithLocation } from '../locations/location-reactions.ts'

/** Deletes the recordings of a location with its data. */
export const deleteRecordingsOfLocations = deletesWithLocation('recording')

/** Moves recordings with their location. */
export const moveRecordingsOfLocations = movesWithLocation('recording', { alsoSet: sql`, updated_at = now_ms()` })
