import { type Sql, sql } from '../../platform/db/db.ts'
import { folderAccessType } from '../folders/access-type.ts'

/** SQL: the effective access type of a row `d` of document: its own, else that of its folder, else `public`. */
export const documentAccessType: Sql = sql`coalesce(d.access_type, ${accessTypeOfFolder(sql`d.folder_key`)}, 'public')`

/** SQL: the effective access type of the folder with this key, in the organization of the row `d`; null without one. */
export function accessTypeOfFolder(key: Sql): Sql {
  return sql`
    (
      select ${folderAccessType}
      from folder f
      where f.api_key = d.api_key and f.organization_key = d.organization_key and f.key = ${key})`
}
