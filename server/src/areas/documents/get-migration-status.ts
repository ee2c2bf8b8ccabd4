import { together } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { requireOrganization } from '../organizations/organization.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { findMigration, MigrationStatus } from './document-migration.ts'

/** Returns how far the change of a document's id is. */
export const getMigrationStatus = operation({
  path: '/v2/organizations/documents/migrate/status',
  auth: 'apiKey',
  access: 'read',
  summary: "Get the status of a change of a document's id",
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    migrationId: identifier('From the answer of documents/migrate.'),
  }),
  example: { organizationId: 'example', migrationId: 'the migrationId of the migration' },
  output: Type.Object({ migrationId: Type.String(), status: MigrationStatus }),
  errors: ['NOT_FOUND'],
  message: 'Document migration status retrieved successfully.',
}).run(async ({ db, tenant, input }) => {
  const { organizationId, migrationId } = input
  const [, migration] = await together([
    requireOrganization(db, tenant, organizationId),
    findMigration(db, tenant, organizationKeyOf(tenant, organizationId), migrationId),
  ])
  if (!migration) throw new ApiError('NOT_FOUND', `There is no migration ${migrationId} in the organization.`)
  return { migrationId, status: migration.status }
})
