import { type Database, sql } from '../../server/src/platform/db/db.ts'
import { keyOf } from '../../server/src/platform/id.ts'
import type { SyntheticJudgment } from './synthetic-judgments.ts'

const BATCH = 2_000
const DAY_MS = 86_400_000

export const reviewerId = (number: number) => `reviewer-${number}`
export const organizationId = (number: number) => `organization-${number}`

/** Stores judgments by SQL, dated within the last two years, as that many imports by their API key would. */
export async function fill(
  database: Database,
  apiKey: string,
  count: number,
  judgment: (number: number) => SyntheticJudgment,
): Promise<void> {
  const start = Date.now() - 730 * DAY_MS
  for (let first = 0; first < count; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - first) }, (_, i) => judgment(first + i))
    const column = <Value>(value: (judgment: SyntheticJudgment, i: number) => Value) => batch.map(value)
    await database.query(sql`
      insert into judgment (
        api_key, key, record_id, change, organization_key, decision, decision_value, reasoning, content, confidence,
        judge_type, source, reviewer_key, reviewer, created_at)
      select ${apiKey}, i.key, i.record_id, ${first}::bigint + i.position, i.organization_key, i.decision, i.decision,
        i.reasoning, i.content, 1, 'human', 'import', i.reviewer_key,
        jsonb_build_object('userId', i.reviewer, 'name', i.reviewer),
        ${start}::bigint + (${first}::bigint + i.position) * ${Math.floor((730 * DAY_MS) / count)}::bigint
      from unnest(
        ${column((_, i) => keyOf(recordId(first + i)))}::uuid[],
        ${column((_, i) => recordId(first + i))}::text[],
        ${column(({ organization }) => keyOf(organizationId(organization)))}::uuid[],
        ${column(({ decision }) => decision)}::text[],
        ${column(({ reasoning }) => reasoning)}::text[],
        ${column(({ content }) => content)}::text[],
        ${column(({ reviewer }) => keyOf(reviewerId(reviewer)))}::uuid[],
        ${column(({ reviewer }) => reviewerId(reviewer))}::text[]
      ) with ordinality as i (
        key, record_id, organization_key, decision, reasoning, content, reviewer_key, reviewer, position)`)
  }
  await database.query(sql`
    insert into judgment_log (api_key, change)
    values (${apiKey}, ${count})
    on conflict (api_key) do update set change = excluded.change`)
  await database.script('vacuum (analyze)')
}

const recordId = (number: number) => `record-${number}`
