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

/** Everything kept for a location is to be deleted; each area deletes its own. */
export const locationDataDeleted = internalEvent<LocationDataDeleted>('locationDataDeleted')

export interface LocationUpdated extends LocationChange {
  oldKey: string
  newKey: string
  newLocation: Location
  /** True: fields of a record's location that the new one does not name are kept (see `migratedLocation`). */
  merge: boolean
}

/** Everything kept for one location moves to another, or stays and gets other fields; each area moves its own. */
export const locationUpdated = internalEvent<LocationUpdated>('locationUpdated')
