import { type Sql, sql } from './db.ts'

/**
 * A condition for rows that another one finds: no index is read for it. A statement that is planned for any values
 * takes every document for a small one, and would read all of a large one to find a row by its id.
 */
export const besides = (condition: Sql): Sql => sql`(${condition}) is true`

/** How the other conditions of a list narrow it: by an index, or `besides` the ids that are asked for. */
export const narrowing = (ids: unknown[] | undefined) => (condition: Sql) => (ids ? besides(condition) : condition)
