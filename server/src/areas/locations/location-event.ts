import { empty, type Sql, sql } from '../../platform/db/db.ts'
import { internalEvent } from '../../platform/event.ts'
import type { Location } from './location.ts'

interface LocationChange {
  documentId: string
  documentKey: string
  /** Null: the document of that id in every organization of the API key. */
  organizationKey: string | null
}

export interface LocationDataDeleted extends LocationChange {
  locationKey: string
  location: Location
}

/** All data at a location is to be deleted. Each area deletes its own. */
export const locationDataDeleted = internalEvent<LocationDataDeleted>('locationDataDeleted')

export interface LocationUpdated extends LocationChange {
  oldKey: string
  newKey: string
  newLocation: Location
  /** True: a record keeps the fields of its old location that the new one does not name (see `migratedLocation`). */
  merge: boolean
}

/** All data at one location moves to another, or the location gets other fields. Each area updates its own data. */
export const locationUpdated = internalEvent<LocationUpdated>('locationUpdated')

/** SQL condition: a row with these columns is at a location of the document, in its organization or in every one. */
export const isAt = (
  { documentKey, organizationKey }: Omit<LocationChange, 'documentId'>,
  locationKey: string,
): Sql => sql`
  document_key = ${documentKey} and location_key = ${locationKey}
  ${organizationKey === null ? empty : sql`and organization_key = ${organizationKey}`}`
