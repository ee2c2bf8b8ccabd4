import type { Place } from '../thread/place.ts'

/** What an event is about, as far as it tells where that is. */
interface Spot {
  pageInfo?: unknown
  location?: object | undefined
  locationId?: number | null | undefined
}

/** The `metadata` of advanced payloads: the place, nested and flat, with the document's own fields. */
export function advancedMetadata(place: Place, spot: Spot, apiKey: string) {
  const organization = { organizationId: place.organizationId, ...namedOrganization(place) }
  const document = { documentId: place.documentId, documentName: place.documentName ?? '', ...place.documentMetadata }
  return {
    ...place.documentMetadata,
    apiKey,
    organizationId: place.organizationId,
    documentId: place.documentId,
    documentName: place.documentName ?? '',
    organization,
    document,
    organizationMetadata: { ...place.organizationMetadata, ...organization },
    documentMetadata: document,
    ...spotOf(spot),
  }
}

/** The `metadata` of basic raw payloads. */
export function basicMetadata(place: Place, spot: Spot, apiKey: string) {
  const { organizationId, documentId } = place
  const documentName = place.documentName ?? ''
  return {
    apiKey,
    clientDocumentId: documentId,
    clientOrganizationId: organizationId,
    documentId,
    documentName,
    organizationId,
    documentMetadata: { ...place.documentMetadata, documentId, documentName },
    organizationMetadata: { ...place.organizationMetadata, organizationId, ...namedOrganization(place) },
    ...spotOf(spot),
  }
}

const namedOrganization = ({ organizationName }: Place) => (organizationName === null ? {} : { organizationName })

const spotOf = ({ pageInfo, location, locationId }: Spot) => ({
  ...(pageInfo !== undefined && { pageInfo }),
  ...(location && { locationId, location }),
})
