import type { ApiKeyScope } from '../../../platform/context.ts'
import { DAY_MS } from '../../../platform/date-range.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { APPROVING_DECISIONS, SIDED_DECISIONS } from '../../memory/judgment/decision-polarity.ts'
import { emergingReasons } from './emerging-reasons.ts'
import { DRIFT_DAYS, FEWEST_DECISIONS, type FoundAlert, READ_DAYS } from './found-alert.ts'

const MOST_READ = 20_000
const DISAGREEMENT_DAYS = 14
const STALE_DAYS = 365
/** What both spans of time must hold. */
const FEWEST_ITEMS = 8
/** How far a share must move, and from where on it is severe. */
const MOVED = 0.2
const MOVED_FAR = 0.35

interface Shares {
  contentType: string | null
  recent: number
  recentCount: number
  before: number
  beforeCount: number
  judgments: string[]
}

/** Looks through the latest judgments of an API key for what is not as usual. */
export async function findAlerts(db: Db, scope: ApiKeyScope): Promise<FoundAlert[]> {
  const [drifts, disagreement, stale, emerging] = await Promise.all([
    approvals(db, scope),
    disagreements(db, scope),
    staleSources(db, scope),
    emergingReasons(db, scope),
  ])
  const drifted = drifts.flatMap((shares) =>
    alertOf(shares, { alertType: 'standards_drift', metric: 'approvalRate', windowDays: DRIFT_DAYS }, FEWEST_DECISIONS),
  )
  const disagreed = disagreement
    .filter(({ recent, before }) => recent > before)
    .flatMap((shares) =>
      alertOf(shares, { alertType: 'anomaly', metric: 'violationRate', windowDays: DISAGREEMENT_DAYS }, FEWEST_ITEMS),
    )
  return [...withoutRepeats(drifted), ...disagreed, ...emerging, ...stale]
}

/** Without the drifts of types of content that only repeat that of all content: the same way, and no more severe. */
function withoutRepeats(drifts: FoundAlert[]): FoundAlert[] {
  const whole = drifts.find(({ contentType }) => contentType === null)
  return whole ? drifts.filter((each) => each === whole || !repeats(each, whole)) : drifts
}

const repeats = (one: FoundAlert, whole: FoundAlert) =>
  rises(one) === rises(whole) && (one.severity === whole.severity || one.severity !== 'high')

const rises = ({ current, baseline }: FoundAlert) => current > baseline

function alertOf(
  { contentType, recent, recentCount, before, beforeCount, judgments }: Shares,
  kind: Pick<FoundAlert, 'alertType' | 'metric' | 'windowDays'>,
  fewest: number,
): FoundAlert[] {
  const moved = Math.abs(recent - before)
  if (recentCount < fewest || beforeCount < fewest || moved < MOVED) return []
  const severity = moved >= MOVED_FAR ? 'high' : 'medium'
  const shares = { baseline: before, current: recent }
  return [{ ...kind, severity, contentType, side: null, ...shares, judgments, knowledgeKey: null }]
}

/** The shares of approvals, of all content and by content type, the most frequent first. */
const approvals = (db: Db, { apiKey }: ApiKeyScope): Promise<Shares[]> =>
  db.query<Shares>(sql`
    with judged as materialized (
      select key, content_type, decision_value = any(${APPROVING_DECISIONS}::text[]) as approves,
        created_at > now_ms() - ${DRIFT_DAYS * DAY_MS}::bigint as is_recent
      from judgment
      where api_key = ${apiKey} and created_at > now_ms() - ${READ_DAYS * DAY_MS}::bigint
        and decision_value = any(${SIDED_DECISIONS}::text[])
      order by created_at desc, key desc
      limit ${MOST_READ}
    )
    select content_type as "contentType",
      coalesce(avg(approves::int) filter (where is_recent), 0)::double precision as recent,
      count(*) filter (where is_recent) as "recentCount",
      coalesce(avg(approves::int) filter (where not is_recent), 0)::double precision as before,
      count(*) filter (where not is_recent) as "beforeCount",
      coalesce((array_agg(key) filter (where is_recent))[1:10], '{}') as judgments
    from judged
    group by grouping sets ((), (content_type))
    having grouping(content_type) = 1 or content_type is not null
    order by count(*) desc
    limit 20`)

/** The share of items on which reviewers took both sides: threads, and contents of documents. */
const disagreements = (db: Db, { apiKey }: ApiKeyScope): Promise<Shares[]> =>
  db.query<Shares>(sql`
    with judged as materialized (
      select key, organization_key, coalesce(annotation_key, document_key) as place,
        case when annotation_key is null then md5(content) end as item, reviewer_key, created_at,
        decision_value = any(${APPROVING_DECISIONS}::text[]) as approves
      from judgment
      where api_key = ${apiKey} and created_at > now_ms() - ${READ_DAYS * DAY_MS}::bigint
        and decision_value = any(${SIDED_DECISIONS}::text[])
      order by created_at desc, key desc
      limit ${MOST_READ}
    ),
    items as (
      select bool_or(approves) and not bool_and(approves) as is_split,
        max(created_at) > now_ms() - ${DISAGREEMENT_DAYS * DAY_MS}::bigint as is_recent, (array_agg(key))[1] as key
      from judged
      where place is not null
      group by organization_key, place, item
      having count(distinct reviewer_key) > 1
    )
    select null::text as "contentType",
      coalesce(avg(is_split::int) filter (where is_recent), 0)::double precision as recent,
      count(*) filter (where is_recent) as "recentCount",
      coalesce(avg(is_split::int) filter (where not is_recent), 0)::double precision as before,
      count(*) filter (where not is_recent) as "beforeCount",
      coalesce((array_agg(key) filter (where is_recent and is_split))[1:10], '{}') as judgments
    from items`)

/** Knowledge that has not changed for a year while decisions went on. */
async function staleSources(db: Db, { apiKey }: ApiKeyScope): Promise<FoundAlert[]> {
  const sources = await db.query<{ key: string; days: number }>(sql`
    select key, ((now_ms() - updated_at) / ${DAY_MS}::bigint)::int as days
    from knowledge_source
    where api_key = ${apiKey} and status = 'completed' and updated_at < now_ms() - ${STALE_DAYS * DAY_MS}::bigint
      and exists (
        select from judgment where api_key = ${apiKey} and created_at > now_ms() - ${DRIFT_DAYS * DAY_MS}::bigint
      )
    order by updated_at
    limit 3`)
  return sources.map(({ key, days }) => ({
    alertType: 'configuration_drift',
    metric: 'staleReferences',
    severity: 'low',
    contentType: null,
    side: null,
    baseline: STALE_DAYS,
    current: days,
    windowDays: DRIFT_DAYS,
    judgments: [],
    knowledgeKey: key,
  }))
}
