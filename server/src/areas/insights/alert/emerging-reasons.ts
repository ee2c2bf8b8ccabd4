import type { ApiKeyScope } from '../../../platform/context.ts'
import { DAY_MS } from '../../../platform/date-range.ts'
import type { Db } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import type { Side } from '../../memory/judgment/decision-polarity.ts'
import { categoryOf, newestJudgments, type ReasonedJudgment, reasonsOf } from '../../memory/patterns/pattern.ts'
import { DRIFT_DAYS, FEWEST_DECISIONS, type FoundAlert, READ_DAYS } from './found-alert.ts'

/** So many judgments of the last days, of so many reviewers, must give a reason. */
const FEWEST_GIVING = 5
const FEWEST_REVIEWERS = 2
/** Of the decisions that give it, this share must take its side. */
const CONSISTENT = 0.8
/** Its share of the decisions must be so many times as large as before. */
const RISEN = 3
/**
 * The likelihood ratio (G², Dunning 1993) of its rise. Chance exceeds it about once in 30,000 reasons, and up to 200
 * are looked into.
 */
const SURE = 16
/** From this share of the decisions on it is more than a note. */
const COMMON = 0.2
const MOST_NAMED = 10

interface Emerging {
  side: Side
  recent: ReasonedJudgment[]
  current: number
  baseline: number
  sureness: number
}

/**
 * Finds the reason of each side that reviewers have lately begun to give: in the last 30 days clearly more often than
 * in the 150 days before. It looks through the newest 2,000 judgments, and rests between its parts.
 */
export async function emergingReasons(db: Db, scope: ApiKeyScope): Promise<FoundAlert[]> {
  const judgments = (await newestJudgments(db, scope)).filter(
    (each) => categoryOf(each) !== 'other' && each.createdAt > each.now - READ_DAYS * DAY_MS,
  )
  const lately = judgments.filter(isRecent).length
  const before = judgments.length - lately
  if (Math.min(lately, before) < FEWEST_DECISIONS) return []
  const emerging = (await reasonsOf(judgments, FEWEST_GIVING))
    .flatMap(({ texts, shared }) => {
      const own = texts.flatMap((text) => judgments[text] ?? [])
      const giving = [...shared.values()].reduce((sum, each) => sum + each, 0)
      return own.length >= CONSISTENT * giving ? risenOf(own, lately, before) : []
    })
    .sort((a, b) => b.sureness - a.sureness)
  return (['approve', 'reject'] as const).flatMap((side) => {
    const surest = emerging.find((each) => each.side === side)
    return surest ? [alertOf(surest)] : []
  })
}

const isRecent = ({ createdAt, now }: ReasonedJudgment) => createdAt > now - DRIFT_DAYS * DAY_MS

/**
 * The reason of these judgments, if it has risen: `lately` and `before` count all decisions of the two spans of time.
 */
function risenOf(own: ReasonedJudgment[], lately: number, before: number): Emerging[] {
  const side = categoryOf(own[0])
  const recent = own.filter(isRecent)
  const reviewers = new Set(recent.flatMap(({ reviewer }) => reviewer ?? []))
  if (side === 'other' || recent.length < FEWEST_GIVING || reviewers.size < FEWEST_REVIEWERS) return []
  const earlier = own.length - recent.length
  const [current, baseline] = [recent.length / lately, earlier / before]
  if (current < RISEN * baseline) return []
  const usual = own.length / (lately + before)
  const part = (found: number, share: number) => (found > 0 ? found * Math.log(share / usual) : 0)
  const sureness = 2 * (part(recent.length, current) + part(earlier, baseline))
  return sureness < SURE ? [] : [{ side, recent, current, baseline, sureness }]
}

const alertOf = ({ side, recent, current, baseline }: Emerging): FoundAlert => ({
  alertType: 'emerging_standard',
  metric: 'enforcementRate',
  severity: current >= COMMON ? 'medium' : 'low',
  contentType: null,
  side,
  baseline,
  current,
  windowDays: DRIFT_DAYS,
  judgments: recent.slice(0, MOST_NAMED).map(({ recordId }) => keyOf(recordId)),
  knowledgeKey: null,
})
