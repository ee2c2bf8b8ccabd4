import { groupBy } from '../../../platform/bulk.ts'
import type { ApiKeyScope } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'

/** The id of a reaction to a thread or to one of its comments. */
export interface ThreadReaction {
  /** Of the thread. */
  key: string
  id: string
  comment_id: number | null
}

/** The reactions to threads and their comments, by the key of the thread. */
export async function readReactions(db: Db, tenant: ApiKeyScope, organizationKey: string, keys: string[] | Sql) {
  const rows = await db.query<ThreadReaction>(sql`
    select annotation_key as key, id, comment_id
    from reaction
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
      and annotation_key = any(${keys}::uuid[])
    order by seq`)
  return groupBy(rows, ({ key }) => key)
}
