import { ensureStatistics } from '../../platform/db/statistics.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { Location, requireLocationKey } from './location.ts'
import { locationDataDeleted } from './location-event.ts'
import { lockDocuments } from './lock-documents.ts'
import { requireSameCredentials } from './same-credentials.ts'

/** Deletes all data at one location of a document: annotations, comments, reactions, recordings and so on. */
export const deleteLocationData = operation({
  path: '/v1/organizations/documents/locations/data/delete',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Delete the data of a location',
  description:
    'Covers the document of that id in every organization of the API key, unless `organizationId` narrows it.',
  input: Type.Object({
    apiKey: Type.String({ description: 'As in the headers.' }),
    authToken: Type.String({ description: 'As in the headers.' }),
    organizationId: Type.Optional(identifier('Only this organization.')),
    documentId: identifier('Id of the document.'),
    location: Location,
  }),
  example: {
    apiKey: 'aBcDeFgHiJkLmNoPqRsT',
    authToken: 'the auth token of the API key',
    organizationId: 'example',
    documentId: 'landing-page',
    location: { id: 'footer' },
  },
  output: Type.Null(),
  errors: ['PERMISSION_DENIED'],
  message: 'Data deleted successfully.',
}).run(async ({ db, tenant, input, secrets, emit }) => {
  await requireSameCredentials(db, tenant, secrets, input)
  const { location } = input
  const locationKey = requireLocationKey(location, 'location')
  const document = await lockDocuments(db, tenant, input)
  await ensureStatistics(db)
  await emit(locationDataDeleted, [{ ...document, locationKey, location }])
  return null
})
