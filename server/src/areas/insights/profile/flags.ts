import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { REJECTING_DECISIONS } from '../../memory/judgment/decision-polarity.ts'
import { recurringReasons } from '../../memory/patterns/recurring-reasons.ts'

const MOST_JUDGMENTS = 500
const LONGEST_TEXT = 2_000
const SUPPORT = 2
const FLAGS = 5

/** The reasons that a user gives most often for rejecting. */
export async function readFlags(db: Db, { apiKey }: ApiKeyTenant, userId: string) {
  const judgments = await db.query<{ reasoning: string }>(sql`
    select left(reasoning, ${LONGEST_TEXT}) as reasoning
    from judgment
    where api_key = ${apiKey} and reviewer_key = ${keyOf(userId)}::uuid
      and decision_value = any(${REJECTING_DECISIONS}::text[])
    order by created_at desc, key desc
    limit ${MOST_JUDGMENTS}`)
  const texts = judgments.map(({ reasoning }) => reasoning)
  const reasons = await recurringReasons(texts, { support: SUPPORT, most: FLAGS })
  return reasons.map(({ sentence, texts: shared }) => ({ issue: sentence, count: shared.length }))
}
