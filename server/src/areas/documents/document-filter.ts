import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, json, type Sql, sql, together } from '../../platform/db/db.ts'
import type { Issue } from '../../platform/errors.ts'
import { keyOf } from '../../platform/id.ts'
import { type Static, Type } from '../../platform/schema.ts'
import { ROOT, requireFolder } from '../folders/folder.ts'
import { requireOrganization } from '../organizations/organization.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'

/** A condition on documents, as callers send it. */
export const DocumentFilter = Type.Object({
  key: Type.String({ description: 'A field of the custom metadata, `documentName` or `id`.' }),
  operator: Type.Enum(['==', 'in'], { description: '`in`: `value` is a list.' }),
  value: Type.Unknown(),
})
export type DocumentFilter = Static<typeof DocumentFilter>

/** Lists what is wrong with the filters beyond their schema. */
export function filterIssues(filters: DocumentFilter[] = []): Issue[] {
  return filters.flatMap(({ operator, value }, i) =>
    operator === 'in' && !Array.isArray(value)
      ? [{ path: `filters[${i}].value`, message: 'must be an array for the operator in' }]
      : [],
  )
}

/** Matches documents whose metadata, name or id has one of the values. */
export interface MetadataFilter {
  key: string
  values: unknown[]
}

/** The filter with the values that it matches. */
export const metadataFilter = ({ key, operator, value }: DocumentFilter): MetadataFilter => ({
  key,
  values: operator === 'in' && Array.isArray(value) ? value : [value],
})

/** SQL: the filter as a condition on `document as d`. */
export const isAdmittedBy = ({ key, values }: MetadataFilter): Sql => sql`
  (d.metadata || jsonb_build_object('id', d.id, 'documentName', d.name)) -> ${key} = any(${values.map(json)}::jsonb[])`

/** Where documents are: in the organization, directly in a folder (null: in none), or, if undefined, anywhere. */
export interface DocumentPlace {
  organizationKey: string
  folderKey: string | null | undefined
}

/** The place that a call names, whether or not it exists. */
export function placeOf(
  tenant: ApiKeyTenant,
  { organizationId, folderId }: { organizationId: string; folderId?: string | undefined },
): DocumentPlace {
  const organizationKey = organizationKeyOf(tenant, organizationId)
  if (folderId === undefined) return { organizationKey, folderKey: undefined }
  return { organizationKey, folderKey: folderId === ROOT ? null : keyOf(folderId) }
}

/** NOT_FOUND, naming it, if the organization or the folder that a call names does not exist. It takes no lock. */
export async function requirePlace(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationId, folderId }: { organizationId: string; folderId?: string | undefined },
): Promise<void> {
  const organizationKey = organizationKeyOf(tenant, organizationId)
  await together([
    requireOrganization(db, tenant, organizationId),
    ...(folderId === undefined || folderId === ROOT ? [] : [requireFolder(db, tenant, organizationKey, folderId)]),
  ])
}
