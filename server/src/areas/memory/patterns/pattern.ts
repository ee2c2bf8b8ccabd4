import type { ApiKeyScope } from '../../../platform/context.ts'
import { DAY_MS } from '../../../platform/date-range.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { nullable, oneOf, type Static, Type } from '../../../platform/schema.ts'
import { decisionPolarity } from '../judgment/decision-polarity.ts'
import { type RecurringReason, recurringReasons } from './recurring-reasons.ts'

const Bucket = Type.Object({ from: Type.Integer({ description: 'Epoch milliseconds.' }), count: Type.Integer() })

/** A reason that judgments share, as `patterns/get` returns it. */
export const Pattern = Type.Object({
  scope: oneOf(['apiKey', 'org'], '`org`: all its judgments are of one organization.'),
  organizationId: Type.Optional(Type.String()),
  description: Type.String({ description: 'The sentence of a judgment that states the reason.' }),
  category: oneOf(['approve', 'reject', 'other'], 'What is decided for this reason; `other` takes no side.'),
  confidence: Type.Number({
    description: 'How surely the reason leads to this decision, 0 to 1; few judgments say less.',
  }),
  enforcementRate: Type.Optional(
    Type.Number({ description: 'The share of this decision among the judgments with a side that give the reason.' }),
  ),
  sourceCount: Type.Integer({ description: 'How many judgments share the reason.' }),
  uniqueReviewers: Type.Integer(),
  contentType: nullable(Type.String()),
  discoveredAt: Type.Integer({ description: 'When the first of them was decided (epoch ms).' }),
  updatedAt: Type.Integer({ description: 'When the last of them was decided (epoch ms).' }),
  topSourceRecordIds: Type.Array(Type.String(), { description: 'Up to 5 of the judgments, newest first.' }),
  trend: Type.Object(
    {
      direction: oneOf(
        ['rising', 'falling', 'steady'],
        'How its share of all judgments of the last 90 days compares with that of the 90 days before.',
      ),
      buckets: Type.Array(Bucket, { description: 'Its judgments in the last 12 times 30 days, the oldest first.' }),
    },
    { description: 'How often it was given over time.' },
  ),
})
export type Pattern = Static<typeof Pattern>

/** The judgments that patterns are found in: the newest. */
const MOST_READ = 2_000
const SUPPORT = 3
const MOST_PATTERNS = 100
const LONGEST_TEXT = 1_000

/** A judgment with its reasoning. */
export interface ReasonedJudgment {
  recordId: string
  decision: string
  reasoning: string
  contentType: string | null
  organizationId: string | null
  reviewer: string | null
  createdAt: number
  now: number
}

/** The newest judgments of an API key, the newest first. */
export const newestJudgments = (db: Db, { apiKey }: ApiKeyScope): Promise<ReasonedJudgment[]> =>
  db.query<ReasonedJudgment>(sql`
    select j.record_id as "recordId", j.decision, left(j.reasoning, ${LONGEST_TEXT}) as reasoning,
      j.content_type as "contentType", o.id as "organizationId", j.reviewer_key::text as reviewer,
      j.created_at as "createdAt", now_ms() as now
    from (
      select *
      from judgment
      where api_key = ${apiKey}
      order by created_at desc, key desc
      limit ${MOST_READ}
    ) j
    left join organization o on o.api_key = ${apiKey} and o.key = j.organization_key
    order by j.created_at desc, j.key desc`)

/**
 * The reasons that so many judgments of a side share, the most frequent first, by at most 200 phrases. It rests
 * between its parts.
 */
export const reasonsOf = (judgments: readonly ReasonedJudgment[], support: number): Promise<RecurringReason[]> =>
  recurringReasons(
    judgments.map(({ reasoning }) => reasoning),
    { support, most: 2 * MOST_PATTERNS, sideOf: (text) => categoryOf(judgments[text]) },
  )

/**
 * Finds the recurring reasons among the newest judgments of an API key, the most frequent first. Nothing of them is
 * stored.
 */
export async function findPatterns(db: Db, scope: ApiKeyScope): Promise<Pattern[]> {
  const judgments = await newestJudgments(db, scope)
  const reasons = await reasonsOf(judgments, SUPPORT)
  return reasons.slice(0, MOST_PATTERNS).map((reason) => patternOf(reason, judgments))
}

type Category = Pattern['category']

/** The side of a judgment's decision. */
export const categoryOf = (judgment: ReasonedJudgment | undefined): Category =>
  (judgment && decisionPolarity(judgment.decision)) ?? 'other'

function patternOf({ sentence: description, texts, shared }: RecurringReason, judgments: ReasonedJudgment[]): Pattern {
  const own = texts.flatMap((text) => judgments[text] ?? [])
  const category = categoryOf(own[0])
  const sided = (shared.get('approve') ?? 0) + (shared.get('reject') ?? 0)
  const all = sided + (shared.get('other') ?? 0)
  const [organizationId, ...others] = new Set(own.map((each) => each.organizationId))
  const ofOne = organizationId != null && others.length === 0
  return {
    scope: ofOne ? 'org' : 'apiKey',
    ...(ofOne && { organizationId }),
    description,
    category,
    confidence: (own.length + 1) / (all + 2),
    ...(category !== 'other' && { enforcementRate: own.length / sided }),
    sourceCount: own.length,
    uniqueReviewers: new Set(own.flatMap(({ reviewer }) => reviewer ?? [])).size,
    contentType: commonest(own.map(({ contentType }) => contentType)),
    discoveredAt: Math.min(...own.map(({ createdAt }) => createdAt)),
    updatedAt: Math.max(...own.map(({ createdAt }) => createdAt)),
    topSourceRecordIds: own.slice(0, 5).map(({ recordId }) => recordId),
    trend: trendOf(own, judgments),
  }
}

const BUCKET = 30 * DAY_MS
const BUCKETS = 12

/** A change counts from half as much again, and from three judgments more or less than the earlier share makes. */
const CHANGE = 1.5
const FEWEST_CHANGED = 3

function trendOf(own: ReasonedJudgment[], all: ReasonedJudgment[]): Pattern['trend'] {
  const now = own[0]?.now ?? 0
  const between = (judgments: ReasonedJudgment[], from: number, to: number) =>
    judgments.filter(({ createdAt }) => createdAt > now - from && createdAt <= now - to).length
  const [recent, before] = [between(own, 90 * DAY_MS, 0), between(own, 180 * DAY_MS, 90 * DAY_MS)]
  const [allRecent, allBefore] = [between(all, 90 * DAY_MS, 0), between(all, 180 * DAY_MS, 90 * DAY_MS)]
  // Without judgments before there is nothing to compare with.
  const expected = allBefore === 0 ? recent : (before / allBefore) * allRecent
  const buckets = Array.from({ length: BUCKETS }, (_, i) => {
    const from = (BUCKETS - i) * BUCKET
    return { from: now - from, count: between(own, from, from - BUCKET) }
  })
  return { direction: directionOf(recent, expected), buckets }
}

function directionOf(recent: number, expected: number): Pattern['trend']['direction'] {
  if (isMore(recent, expected)) return 'rising'
  return isMore(expected, recent) ? 'falling' : 'steady'
}

const isMore = (one: number, other: number) => one - other >= FEWEST_CHANGED && one >= CHANGE * other

function commonest(values: (string | null)[]): string | null {
  const counts = new Map<string | null, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}
