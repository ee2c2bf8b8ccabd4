import { type Sql, sql } from '../../platform/db/db.ts'
import { folderAccessType } from '../folders/access-type.ts'

/**
 * SQL: the effective access type of a row `d` of document: its own, else that of its folder, else `defaultType`
 * (`defaultDocumentAccessType` of the API key).
 */
export const documentAccessType = (defaultType: string): Sql => sql`
  coalesce(
    d.access_type,
    (
      select ${folderAccessType(defaultType)}
      from folder f
      where f.api_key = d.api_key and f.organization_key = d.organization_key and f.key = d.folder_key),
    ${defaultType})`
