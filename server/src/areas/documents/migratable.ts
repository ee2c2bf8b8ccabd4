import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, join, raw, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'

/** A migration rewrites all records of a document in one transaction, and others of the document wait for it. */
export const MOST_RECORDS = 100_000

const TABLES = ['comment_annotation', 'reaction', 'recording', 'notification', 'judgment']

/** Whether a document holds at most 100,000 records of each kind. It looks at no more of them. */
export async function isMigratable(
  db: Db,
  { apiKey }: ApiKeyTenant,
  organizationKey: string,
  documentId: string,
): Promise<boolean> {
  const hasMore = (table: string, narrowed = empty) => sql`exists (
    select
    from ${raw(table)}
    where api_key = ${apiKey} and organization_key = ${organizationKey} and document_key = ${keyOf(documentId)} ${narrowed}
    offset ${MOST_RECORDS}
    limit 1)`
  const conditions = [...TABLES.map((table) => hasMore(table)), hasMore('activity_entry', sql`and current`)]
  const large = await db.query(sql`
    select
    from organization
    where api_key = ${apiKey} and key = ${organizationKey} and (${join(conditions, ' or ')})`)
  return large.length === 0
}
