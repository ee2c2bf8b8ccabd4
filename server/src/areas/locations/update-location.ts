import { operation } from '../../platform/operation.ts'
import { oversized, SIZE_LIMIT } from '../../platform/record-size.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { requireDocument } from '../documents/document.ts'
import { requireOrganization } from '../organizations/organization.ts'
import { Location, requireLocationKey, unidentifiedIssues } from './location.ts'
import { locationUpdated } from './location-event.ts'
import { lockDocuments } from './lock-documents.ts'
import { requireSameCredentials } from './same-credentials.ts'

/** Moves all data at one location of a document to another, or changes the fields of a location. */
export const updateLocation = operation({
  path: '/v1/organizations/documents/locations/update',
  auth: 'apiKey',
  access: 'write',
  summary: 'Update a location',
  description:
    'Covers the document of that id in every organization of the API key, unless `organizationId` narrows it.',
  input: Type.Object({
    apiKey: Type.String({ description: 'As in the headers.' }),
    authToken: Type.String({ description: 'As in the headers.' }),
    organizationId: Type.Optional(identifier('Only this organization.')),
    documentId: identifier('Id of the document.'),
    migrate: Type.Object({ oldLocation: Location, newLocation: Location }),
    merge: Type.Optional(
      Type.Boolean({
        description:
          'True: fields of the old location that the new one does not name are kept, where both together hold ' +
          `${SIZE_LIMIT}; default: false.`,
      }),
    ),
  }),
  example: {
    apiKey: 'aBcDeFgHiJkLmNoPqRsT',
    authToken: 'the auth token of the API key',
    organizationId: 'example',
    documentId: 'landing-page',
    migrate: { oldLocation: { id: 'headline' }, newLocation: { id: 'footer' } },
  },
  output: Type.Null(),
  errors: ['PERMISSION_DENIED', 'NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Location updated.',
  check: ({ migrate: { oldLocation, newLocation } }) => [
    ...unidentifiedIssues('migrate.oldLocation', oldLocation),
    ...unidentifiedIssues('migrate.newLocation', newLocation),
    ...oversized('migrate.newLocation', newLocation),
  ],
}).run(async ({ db, tenant, input, secrets, emit }) => {
  await requireSameCredentials(db, tenant, secrets, input)
  const { oldLocation, newLocation } = input.migrate
  const oldKey = requireLocationKey(oldLocation, 'migrate.oldLocation')
  const newKey = requireLocationKey(newLocation, 'migrate.newLocation')
  if (input.organizationId !== undefined) {
    const organization = await requireOrganization(db, tenant, input.organizationId)
    await requireDocument(db, tenant, organization.key, input.documentId)
  }
  const document = await lockDocuments(db, tenant, input)
  await emit(locationUpdated, [{ ...document, oldKey, newKey, newLocation, merge: input.merge === true }])
  return null
})
