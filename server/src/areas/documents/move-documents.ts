import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { keptAccessType } from '../folders/access-type.ts'
import { ensureFolder, ROOT } from '../folders/folder.ts'
import { ensureOrganization } from '../organizations/organization.ts'
import { accessTypeOfFolder, documentAccessType } from './access-type.ts'
import { changeDocuments } from './change-documents.ts'
import { DocumentResults } from './document.ts'

/**
 * Moves documents into a folder, or to the top level. They take its access type unless they have their own. Where the
 * new place is more open, they keep what they had as their own.
 */
export const moveDocuments = operation({
  path: '/v2/organizations/documents/move',
  twin: '/v1/organizations/documents/move',
  auth: 'apiKey',
  access: 'write',
  summary: 'Move documents',
  description:
    'A document without an access type of its own takes that of the new place. Where that is more open, the document ' +
    'keeps what it had as its own.',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    documentIds: Type.Array(identifier('Id of a document.')),
    folderId: identifier(`The folder that they go into; \`${ROOT}\`: none.`),
  }),
  example: { organizationId: 'example', documentIds: ['landing-page'], folderId: 'campaigns' },
  output: DocumentResults,
  errors: ['NOT_FOUND'],
  message: 'Documents moved successfully.',
}).run(async ({ db, tenant, input }) => {
  const { documentIds, folderId } = input
  const organization = await ensureOrganization(db, tenant, input.organizationId, { create: false })
  const folder =
    folderId === ROOT ? null : await ensureFolder(db, tenant, organization.key, { folderId, create: false })
  const folderKey = sql`${folder?.key ?? null}::uuid`
  const kept = keptAccessType(documentAccessType, sql`coalesce(${accessTypeOfFolder(folderKey)}, 'public')`)
  return changeDocuments(db, tenant, organization.key, {
    documentIds,
    set: sql`folder_key = ${folderKey}, access_type = coalesce(d.access_type, ${kept})`,
    answer: { message: 'Moved Successfully' },
  })
})
