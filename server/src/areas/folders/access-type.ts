import { type Sql, sql } from '../../platform/db/db.ts'
import { oneOf, type Static } from '../../platform/schema.ts'

/** Who may open a document, or the documents of a folder. */
export const AccessType = oneOf(
  ['public', 'restricted', 'organizationPrivate'],
  'public: anyone; restricted: only those who were given access to it or to a folder above it; ' +
    'organizationPrivate: the users of the organization.',
)

export type AccessType = Static<typeof AccessType>

/**
 * SQL: the access type that a row `f` of folder would inherit from the folders of `path`; `public` at the top level.
 */
export const inheritedAccessType = (path: Sql): Sql => sql`
  coalesce(
    (
      select a.access_type
      from unnest(${path}) with ordinality as u (key, level)
      cross join lateral (
        select access_type, inherit_access
        from folder
        where api_key = f.api_key and organization_key = f.organization_key and key = u.key
        offset 0
      ) a
      where not a.inherit_access
      order by u.level desc
      limit 1),
    'public')`

/**
 * SQL: the effective access type of a row `f` of folder. It is its own or, if it inherits, that of the nearest folder
 * above that does not. Where none is set, it is `public`.
 */
export const folderAccessType: Sql = sql`
  case when f.inherit_access then ${inheritedAccessType(sql`f.path`)} else coalesce(f.access_type, 'public') end`

/**
 * SQL: the type that a resource keeps as its own when it is moved: that of the old place, if the new one is more open.
 */
export const keptAccessType = (before: Sql, after: Sql): Sql => sql`
  case when ${openness(before)} < ${openness(after)} then ${before} end`

const openness = (type: Sql): Sql => sql`array_position(array['restricted', 'organizationPrivate', 'public'], ${type})`
