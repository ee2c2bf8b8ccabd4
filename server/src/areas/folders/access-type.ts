import { type Sql, sql } from '../../platform/db/db.ts'
import { oneOf } from '../../platform/schema.ts'

/** Who may open a document, or the documents of a folder. */
export const AccessType = oneOf(
  ['public', 'restricted', 'organizationPrivate'],
  'public: anyone; restricted: only those who were given access to it or to a folder above it; ' +
    'organizationPrivate: the users of the organization.',
)

/**
 * SQL: the effective access type of a row `f` of folder. It is its own or, if it inherits, that of the nearest folder
 * above that does not. Where none is set, it is `defaultType` (`defaultDocumentAccessType` of the API key).
 */
export const folderAccessType = (defaultType: string): Sql => sql`
  coalesce(
    case
      when f.inherit_access then (
        select a.access_type
        from unnest(f.path) with ordinality as u (key, level)
        cross join lateral (
          select access_type, inherit_access
          from folder
          where api_key = f.api_key and organization_key = f.organization_key and key = u.key
          offset 0
        ) a
        where not a.inherit_access
        order by u.level desc
        limit 1)
      else f.access_type
    end,
    ${defaultType})`
