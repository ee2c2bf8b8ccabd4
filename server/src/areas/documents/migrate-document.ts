import { sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { keyOf, randomId } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { ensureOrganization } from '../organizations/organization.ts'
import { ensureDocument } from './document.ts'
import { isMigratable, MOST_RECORDS } from './migratable.ts'
import { runMigration } from './migrate-document.job.ts'

/** Gives a document another id, with everything in it, in the background. */
export const migrateDocument = operation({
  path: '/v2/organizations/documents/migrate',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Change the id of a document',
  description:
    'Everything in the document comes along in one step: readers see it under the old id or under the new one, never ' +
    'under both. Afterwards the old id names no document. `documents/migrate/status` says when it is done. Payloads ' +
    'of events from before keep the old id. A document with more than 100,000 records of one kind is refused.',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    documentId: identifier('Id of the document.'),
    newDocumentId: identifier('Its new id, which names no document yet.'),
  }),
  example: { organizationId: 'example', documentId: 'help-page', newDocumentId: 'help' },
  output: Type.Object({ migrationId: Type.String() }),
  errors: ['NOT_FOUND', 'ALREADY_EXISTS', 'FAILED_PRECONDITION'],
  message: 'Document migration started.',
}).run(async ({ db, tenant, input, enqueue }) => {
  const { documentId, newDocumentId } = input
  const organization = await ensureOrganization(db, tenant, input.organizationId, { create: false })
  await ensureDocument(db, tenant, organization.key, { documentId, create: false })
  const [taken] = await db.query(sql`
    select
    from document
    where api_key = ${tenant.apiKey} and organization_key = ${organization.key} and key = ${keyOf(newDocumentId)}`)
  if (taken) throw new ApiError('ALREADY_EXISTS', `There is a document ${newDocumentId} in the organization already.`)
  if (!(await isMigratable(db, tenant, organization.key, documentId))) {
    const most = MOST_RECORDS.toLocaleString('en')
    throw new ApiError('FAILED_PRECONDITION', `The document ${documentId} holds more than ${most} records of one kind.`)
  }
  const migrationId = randomId('mig_')
  await db.query(sql`
    insert into document_migration (api_key, organization_key, id, document_id, new_document_id)
    values (${tenant.apiKey}, ${organization.key}, ${migrationId}, ${documentId}, ${newDocumentId})`)
  await enqueue(runMigration, [{ organizationKey: organization.key, migrationId }])
  return { migrationId }
})
