import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { APPROVING_DECISIONS, SIDED_DECISIONS } from '../../memory/judgment/decision-polarity.ts'

const MOST_JUDGMENTS = 10_000

/** The approval rate among the newest judgments of all reviewers of the API key. */
export async function readScopeRate(db: Db, { apiKey }: ApiKeyTenant) {
  const [row] = await db.query<{ decided: number; approvals: number }>(sql`
    select count(*) as decided, count(*) filter (where approves) as approvals
    from (
      select decision_value = any(${SIDED_DECISIONS}::text[]) as decided,
        decision_value = any(${APPROVING_DECISIONS}::text[]) as approves
      from judgment
      where api_key = ${apiKey}
      order by created_at desc, key desc
      limit ${MOST_JUDGMENTS}
    ) j
    where j.decided`)
  const { decided = 0, approvals = 0 } = row ?? {}
  return { decidedJudgments: decided, approvalRate: decided === 0 ? null : approvals / decided }
}
