import { type Db, sql } from '../../platform/db/db.ts'
import { OWN_SCHEMA } from '../../platform/db/own-schema.ts'
import { type Finding, failure, warning } from './finding.ts'

/** Names are quoted where SQL needs it. */
interface Rights {
  role: string
  schema: string | null
  mayCreate: boolean
  /** Of the tables of the service those that the role may not read and write. */
  closed: number
  first: string | null
  /** Whether the role has the rights of their owner. */
  owns: boolean
  owner: string | null
}

/**
 * Which rights the role of DATABASE_URL lacks; undefined if none. A start creates tables in the schema, and reads and
 * writes all that are there. A failure if it cannot do so, a warning if it can, but cannot change tables.
 */
export async function findLackingRights(db: Db): Promise<Finding | undefined> {
  const [rights] = await db.query<Rights>(sql`
    with own as (
      select c.relname, c.relowner,
        has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
          and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete') as open
      from pg_class c
      where c.relnamespace = ${OWN_SCHEMA} and c.relkind in ('r', 'p')
        and c.relowner = (select relowner from pg_class where oid = to_regclass('migration'))
    )
    select quote_ident(current_user) as role, quote_ident(current_schema()) as schema,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
      count(*) filter (where not open) as closed,
      min(relname) filter (where not open) as first,
      coalesce(bool_and(pg_has_role(relowner, 'usage')), true) as owns,
      min(quote_ident(pg_get_userbyid(relowner))) as owner
    from own`)
  if (!rights) return undefined
  const { role, schema, mayCreate, closed, first, owns, owner } = rights
  const mend = `Let DATABASE_URL name ${owner}, or give its rights away: grant ${owner} to ${role}`
  if (closed > 0) {
    const message = `The role ${role} may not read and write ${closed} tables of ${owner}, such as ${first}.`
    return failure(CHECK, message, mend)
  }
  if (!mayCreate) {
    const message = schema
      ? `The role ${role} may not create tables in the schema ${schema}.`
      : `The role ${role} may use no schema of its search_path.`
    const grant = `grant usage, create on schema ${schema ?? 'public'} to ${role}`
    return failure(CHECK, message, `Let DATABASE_URL name the role that owns the tables, or, as its owner: ${grant}`)
  }
  if (owns) return undefined
  const message = `The role ${role} may read and write the tables of ${owner}, but not change them, as migrations do.`
  return warning(CHECK, message, mend)
}

const CHECK = 'database rights'
