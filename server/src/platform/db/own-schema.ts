import { type Sql, sql } from './db.ts'

/**
 * SQL: the oid of the schema that holds the tables of the service, or will hold them. By the search_path it may be
 * another than `public`.
 */
export const OWN_SCHEMA: Sql = sql`coalesce(
  (select relnamespace from pg_class where oid = to_regclass('migration')),
  (select oid from pg_namespace where nspname = current_schema()))`
