import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import type { AuthorRecord } from '../head/head.ts'
import { decisionPolarity, SIDED_DECISIONS, type Side } from '../judgment/decision-polarity.ts'

/** Earlier judgments on items of an author say no more than so many of the latest. */
const MOST_ITEMS = 200

/**
 * How many judgments on items of an author approve and reject, of the latest 200. Undefined without an author. It is
 * read for each suggestion and stored nowhere, so it forgets what is deleted.
 */
export async function readAuthorRecord(
  db: Db,
  { apiKey }: ApiKeyTenant,
  author: string | undefined,
): Promise<AuthorRecord | undefined> {
  if (author === undefined) return undefined
  const rows = await db.query<{ decision: string; count: number }>(sql`
    select decision, count(*) as count
    from (
      select decision_value as decision
      from judgment
      where api_key = ${apiKey} and content_user_key = ${keyOf(author)}::uuid
        and decision_value = any(${SIDED_DECISIONS}::text[])
      order by created_at desc, key
      limit ${MOST_ITEMS}
    ) latest
    group by decision`)
  const countOf = (side: Side) =>
    rows.reduce((sum, { decision, count }) => sum + (decisionPolarity(decision) === side ? count : 0), 0)
  return { approvals: countOf('approve'), rejections: countOf('reject') }
}
