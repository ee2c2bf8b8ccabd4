import { lastById, resultsOf } from '../../platform/bulk.ts'
import { json, sql } from '../../platform/db/db.ts'
import { inTurn } from '../../platform/db/list-lock.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { oversizedItems } from '../../platform/record-size.ts'
import { identifier, itemResult, mapOf, Type } from '../../platform/schema.ts'
import { ensureFolder, ROOT } from '../folders/folder.ts'
import { ensureOrganization } from '../organizations/organization.ts'
import { accessTypeOfNew } from '../workspaces/setting/api-key-options.ts'
import { DocumentInput, documentMetadata, documentNumber } from './document.ts'

/**
 * Adds documents with their custom metadata, all to one folder or all without one. A document that exists does not
 * change.
 */
export const addDocuments = operation({
  path: '/v2/organizations/documents/add',
  twin: '/v1/organizations/documents/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Add documents',
  description:
    'A document in a folder has the access type of the folder unless it is given one. One at the top level gets the ' +
    '`defaultDocumentAccessType` of the API key.',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    createOrganization: Type.Optional(Type.Boolean({ description: 'Create the organization if it does not exist.' })),
    documents: Type.Array(DocumentInput),
    folderId: Type.Optional(identifier('The folder that they go into.')),
    createFolder: Type.Optional(Type.Boolean({ description: 'Create the folder if it does not exist.' })),
  }),
  example: {
    organizationId: 'example',
    folderId: 'website',
    documents: [{ documentId: 'landing-page', documentName: 'Landing page' }],
  },
  output: mapOf(itemResult({ id: Type.Optional(Type.String()) }), 'One result per document id.'),
  errors: ['NOT_FOUND'],
  message: 'Document(s) added successfully.',
  check: ({ documents }) => oversizedItems('documents', documents),
}).run(async ({ db, tenant, input }) => {
  const { organizationId, createOrganization = false, folderId = ROOT } = input
  const organization = await ensureOrganization(db, tenant, organizationId, {
    create: createOrganization,
    mayAsk: true,
  })
  const folder =
    folderId === ROOT
      ? null
      : await ensureFolder(db, tenant, organization.key, {
          folderId,
          create: input.createFolder === true,
          mayAsk: true,
        })
  const documents = lastById(input.documents, (document) => document.documentId)
  const list = [...documents.values()]
  // Positions are taken in the order of the request; rows are locked in the order of keys.
  const inserted = await inTurn(db, `document ${tenant.apiKey} ${organization.key}`).query<{ id: string }>(sql`
    insert into document (api_key, organization_key, key, id, name, folder_key, access_type, metadata, seq)
    overriding system value
    select ${tenant.apiKey}, ${organization.key}, i.key, i.id, i.name, ${folder?.key ?? null}::uuid,
      coalesce(i.access_type, ${folder ? sql`null` : accessTypeOfNew(tenant.apiKey)}), i.metadata, i.seq
    from (
      select u.key, u.id, u.name, u.access_type, u.metadata, nextval('document_seq_seq') as seq
      from unnest(
        ${list.map((document) => keyOf(document.documentId))}::uuid[],
        ${list.map((document) => document.documentId)}::text[],
        ${list.map((document) => document.documentName ?? null)}::text[],
        ${list.map((document) => document.accessType ?? null)}::text[],
        ${list.map((document) => json(documentMetadata(document)))}::jsonb[]
      ) with ordinality as u (key, id, name, access_type, metadata, position)
      order by u.position
    ) i
    order by i.key
    on conflict (api_key, organization_key, key) do nothing
    returning id`)
  const added = new Set(inserted.map(({ id }) => id))
  return resultsOf(documents.keys(), (id) =>
    added.has(id)
      ? { success: true, id: documentNumber(tenant.apiKey, organizationId, id), message: 'Added Successfully' }
      : { success: false, message: 'Document already exists' },
  )
})
