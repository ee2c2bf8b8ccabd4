import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { Preference, readPreferences } from './recipients/preference.ts'

/** Returns the notification preferences of a user: for documents, and for the organization as a whole. */
export const getUserNotificationConfig = operation({
  path: '/v2/notifications/config/get',
  twin: '/v1/notifications/config/get',
  auth: 'apiKey',
  access: 'read',
  summary: "Get a user's notification preferences",
  description: 'What is not set for a document is that of the organization; what is not set there is the default.',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    documentIds: Type.Optional(Type.Array(identifier('Id of a document.'))),
    userId: identifier('Id of the user.'),
    getOrganizationConfig: Type.Optional(
      Type.Boolean({
        description: 'True: the preferences of the organization come first. Otherwise `documentIds` is required.',
      }),
    ),
  }),
  example: { organizationId: 'example', userId: 'iris', documentIds: ['newsletter'] },
  output: Type.Array(
    Type.Object({
      config: Preference,
      metadata: Type.Object({
        organizationId: Type.String(),
        apiKey: Type.String(),
        documentId: Type.Optional(Type.String({ description: 'Absent: the preferences of the organization.' })),
        userId: Type.String(),
      }),
    }),
  ),
  errors: [],
  message: 'User config fetched successfully.',
  check: ({ documentIds, getOrganizationConfig }) =>
    documentIds || getOrganizationConfig
      ? []
      : [{ path: 'documentIds', message: 'is required unless getOrganizationConfig is true' }],
}).run(async ({ db, tenant, input }) => {
  const { organizationId, userId, documentIds = [], getOrganizationConfig = false } = input
  const organizationKey = organizationKeyOf(tenant, organizationId)
  const userKey = keyOf(userId)
  const documents = [...new Set(documentIds)]
  const [preferences, [organization]] = await Promise.all([
    readPreferences(db, tenant, organizationKey, { userKeys: [userKey], documentKeys: documents.map(keyOf) }),
    db.query(sql`select 1 as found from organization where api_key = ${tenant.apiKey} and key = ${organizationKey}`),
  ])
  if (!organization) return []
  const metadata = { organizationId, apiKey: tenant.apiKey, userId }
  const general = { config: preferences.of(userKey), metadata }
  return [
    ...(getOrganizationConfig ? [general] : []),
    ...documents.map((documentId) => ({
      config: preferences.of(userKey, keyOf(documentId)),
      metadata: { ...metadata, documentId },
    })),
  ]
})
