import { lastById, resultsOf } from '../../platform/bulk.ts'
import { json, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { oversizedItems } from '../../platform/record-size.ts'
import { identifier, itemResult, mapOf, Type } from '../../platform/schema.ts'
import { lockOrganization } from '../organizations/organization.ts'
import { accessTypeOfNew } from '../workspaces/setting/api-key-options.ts'
import { FolderInput, folderMetadata, ROOT } from './folder.ts'
import { readPaths } from './folder-path.ts'
import { placeNew } from './place-new.ts'

/** Adds folders. A parent may exist already or be part of the same request. A folder that exists does not change. */
export const addFolders = operation({
  path: '/v2/organizations/folders/add',
  twin: '/v1/organizations/folders/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Add folders',
  description:
    'A folder inside another inherits its access type unless it is given one. One at the top level gets the ' +
    '`defaultDocumentAccessType` of the API key.',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    createOrganization: Type.Optional(Type.Boolean({ description: 'Create the organization if it does not exist.' })),
    folders: Type.Array(FolderInput),
  }),
  example: {
    organizationId: 'example',
    folders: [{ folderId: 'autumn', folderName: 'Autumn', parentFolderId: 'campaigns' }],
  },
  output: mapOf(itemResult({ id: Type.Optional(Type.String()) }), 'One result per folder id.'),
  errors: ['NOT_FOUND'],
  message: 'Folder created successfully.',
  check: ({ folders }) => oversizedItems('folders', folders),
}).run(async ({ db, tenant, input }) => {
  const { organizationId, createOrganization = false } = input
  const organization = await lockOrganization(db, tenant, organizationId, { create: createOrganization, mayAsk: true })
  const folders = lastById(input.folders, (folder) => folder.folderId)
  const ids = [...folders.values()].flatMap(({ folderId, parentFolderId = ROOT }) => [folderId, parentFolderId])
  const placed = placeNew(folders, await readPaths(db, tenant, organization.key, ids.map(keyOf)))
  const added = [...placed].flatMap(([id, place]) => {
    const folder = folders.get(id)
    return 'path' in place && folder ? [{ folder, path: place.path }] : []
  })
  // Positions are taken in the order of the request; rows are locked in the order of keys.
  await db.query(sql`
    insert into folder (
      api_key, organization_key, key, id, name, parent_key, path, access_type, inherit_access, metadata, seq)
    overriding system value
    select ${tenant.apiKey}, ${organization.key}, i.key, i.id, i.name, i.path[cardinality(i.path)], i.path,
      coalesce(i.access_type, case when cardinality(i.path) = 0 then ${accessTypeOfNew(tenant.apiKey)} end),
      i.access_type is null and cardinality(i.path) > 0, i.metadata, i.seq
    from (
      select u.key, u.id, u.name, u.path::uuid[] as path, u.access_type, u.metadata, nextval('folder_seq_seq') as seq
      from unnest(
        ${added.map(({ folder }) => keyOf(folder.folderId))}::uuid[],
        ${added.map(({ folder }) => folder.folderId)}::text[],
        ${added.map(({ folder }) => folder.folderName ?? null)}::text[],
        ${added.map(({ path }) => `{${path}}`)}::text[],
        ${added.map(({ folder }) => folder.accessType ?? null)}::text[],
        ${added.map(({ folder }) => json(folderMetadata(folder)))}::jsonb[]
      ) with ordinality as u (key, id, name, path, access_type, metadata, position)
      order by u.position
    ) i
    order by i.key`)
  return resultsOf(folders.keys(), (id) => {
    const place = placed.get(id)
    return place && 'path' in place
      ? { success: true, id, message: 'Folder added.' }
      : { success: false, message: place?.fault ?? 'Folder was not added.' }
  })
})
