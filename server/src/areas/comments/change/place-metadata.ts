import { withFields } from '../../../platform/bulk.ts'
import type { Place } from '../thread/place.ts'
import { abridge } from './abridge.ts'

/** The page and the location of what an event is about. */
interface PageAndLocation {
  pageInfo?: unknown
  location?: object | undefined
  locationId?: number | null | undefined
}

/** The `metadata` of advanced payloads: the place, nested and flat, with the fields of the document. */
export function advancedMetadata(place: Place, on: PageAndLocation, apiKey: string) {
  const organization = { organizationId: place.organizationId, ...nameOf(place) }
  const document = { documentId: place.documentId, documentName: place.documentName ?? '', ...place.documentMetadata }
  return withFields(place.documentMetadata, {
    apiKey,
    organizationId: place.organizationId,
    documentId: place.documentId,
    documentName: place.documentName ?? '',
    organization,
    document,
    organizationMetadata: withFields(place.organizationMetadata, organization),
    documentMetadata: document,
    ...pageAndLocation(on),
  })
}

/** The `metadata` of basic raw payloads. */
export function basicMetadata(place: Place, on: PageAndLocation, apiKey: string) {
  const { organizationId, documentId } = place
  const documentName = place.documentName ?? ''
  return {
    apiKey,
    clientDocumentId: documentId,
    clientOrganizationId: organizationId,
    documentId,
    documentName,
    organizationId,
    documentMetadata: withFields(place.documentMetadata, { documentId, documentName }),
    organizationMetadata: withFields(place.organizationMetadata, { organizationId, ...nameOf(place) }),
    ...pageAndLocation(on),
  }
}

/** Abridges the metadata of a place: `maxBytes` for the organization's and the same for the document's. */
export const abridgePlace = (place: Place, maxBytes: number): Place => ({
  ...place,
  organizationMetadata: abridge(place.organizationMetadata, maxBytes),
  documentMetadata: abridge(place.documentMetadata, maxBytes),
})

const nameOf = ({ organizationName }: Place) => (organizationName === null ? {} : { organizationName })

const pageAndLocation = ({ pageInfo, location, locationId }: PageAndLocation) => ({
  ...(pageInfo !== undefined && { pageInfo }),
  ...(location && { locationId, location }),
})
