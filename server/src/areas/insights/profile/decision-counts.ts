import type { ApiKeyTenant } from '../../../platform/context.ts'
import { DAY_MS } from '../../../platform/date-range.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { APPROVING_DECISIONS, SIDED_DECISIONS } from '../../memory/judgment/decision-polarity.ts'

/** How many judgments there are, how many have a side, and how many of these approve. */
export interface Group {
  judgments: number
  decided: number
  approvals: number
}

/** How long ago the judgments of a profile count as recent, and as earlier, at most. */
export const RECENT_MS = 90 * DAY_MS
const EARLIER_MS = 365 * DAY_MS

/** A content type in the last 90 days (`recent`) or in the 275 days before. */
export interface TypeAndPeriod extends Group {
  contentType: string
  period: 'recent' | 'earlier'
}

/** The decisions of a reviewer, counted from several sides. */
export interface DecisionCounts {
  all: Group
  byOrganization: (Group & { organizationId: string })[]
  byTypeAndPeriod: TypeAndPeriod[]
  /** By frequency. */
  contentTypes: string[]
  /** Hours of the day in UTC, by frequency. */
  hours: number[]
  now: number
}

const MOST_JUDGMENTS = 50_000
const MOST_ORGANIZATIONS = 100
const MOST_TYPES = 20

/** What a row counts: the bits are set for the columns over which it was summed up. */
const LEVEL = { all: 15, organization: 7, hour: 13, typeAndPeriod: 10 }

interface Row extends Group {
  level: number
  organizationId: string | null
  contentType: string | null
  hour: number | null
  period: 'recent' | 'earlier' | null
  now: number
}

/** Counts the newest judgments of a user by several groups, in one pass. */
export async function countDecisions(db: Db, { apiKey }: ApiKeyTenant, userId: string): Promise<DecisionCounts> {
  const rows = await db.query<Row>(sql`
    with judged as materialized (
      select organization_key, content_type, decision_value = any(${SIDED_DECISIONS}::text[]) as decided,
        decision_value = any(${APPROVING_DECISIONS}::text[]) as approves,
        (created_at / 3600000 % 24)::int as hour,
        case
          when created_at > now_ms() - ${RECENT_MS}::bigint then 'recent'
          when created_at > now_ms() - ${EARLIER_MS}::bigint then 'earlier'
        end as period
      from judgment
      where api_key = ${apiKey} and reviewer_key = ${keyOf(userId)}::uuid
      order by created_at desc, key desc
      limit ${MOST_JUDGMENTS}
    ),
    counted as (
      select grouping(organization_key, content_type, hour, period) as level, organization_key, content_type, hour, period,
        count(*) as judgments, count(*) filter (where decided) as decided, count(*) filter (where approves) as approvals
      from judged
      group by grouping sets ((), (organization_key), (hour), (content_type, period))
    ),
    ranked as (
      select *, row_number() over (partition by level order by judgments desc, organization_key, content_type, hour) as rank
      from counted
    )
    select r.level, o.id as "organizationId", r.content_type as "contentType", r.hour, r.period, r.judgments, r.decided,
      r.approvals, now_ms() as now
    from ranked r
    left join organization o on o.api_key = ${apiKey} and o.key = r.organization_key
    where r.rank <= ${MOST_ORGANIZATIONS}
    order by r.rank`)
  const at = (level: number) => rows.filter((row) => row.level === level)
  const types = at(LEVEL.typeAndPeriod).flatMap(({ contentType, ...row }) =>
    contentType === null ? [] : [{ ...row, contentType }],
  )
  return {
    all: at(LEVEL.all)[0] ?? { judgments: 0, decided: 0, approvals: 0 },
    byOrganization: at(LEVEL.organization).flatMap(({ organizationId, ...row }) =>
      organizationId === null ? [] : [{ ...row, organizationId }],
    ),
    byTypeAndPeriod: types.flatMap(({ period, ...row }) => (period === null ? [] : [{ ...row, period }])),
    contentTypes: byFrequency(types).slice(0, MOST_TYPES),
    hours: at(LEVEL.hour).flatMap(({ hour }) => hour ?? []),
    now: rows[0]?.now ?? 0,
  }
}

/** The content types by their judgments of all periods. */
function byFrequency(types: { contentType: string; judgments: number }[]): string[] {
  const counts = new Map<string, number>()
  for (const { contentType, judgments } of types) counts.set(contentType, (counts.get(contentType) ?? 0) + judgments)
  return [...counts].sort(([, a], [, b]) => b - a).map(([contentType]) => contentType)
}
