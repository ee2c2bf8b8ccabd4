import { RECENT_MS, type TypeAndPeriod } from './decision-counts.ts'

/** How far an approval rate must move, and on how many judgments of each period it must rest. */
const SHIFT = 0.25
const FEWEST = 5

/** The content types whose approval rate has moved much, the furthest first. */
export function shiftsOf(groups: TypeAndPeriod[], now: number) {
  return groups
    .filter(({ period, decided }) => period === 'recent' && decided >= FEWEST)
    .flatMap((recent) => {
      const earlier = groups.find(({ contentType, period, decided }) => {
        return contentType === recent.contentType && period === 'earlier' && decided >= FEWEST
      })
      const moved = earlier ? rate(recent) - rate(earlier) : 0
      return earlier && Math.abs(moved) >= SHIFT - 1e-9 ? [{ recent, earlier, moved }] : []
    })
    .sort((a, b) => Math.abs(b.moved) - Math.abs(a.moved))
    .map(({ recent, earlier }) => ({
      topic: recent.contentType,
      shiftDate: now - RECENT_MS,
      oldPattern: pattern(earlier),
      newPattern: pattern(recent),
    }))
}

const rate = ({ approvals, decided }: TypeAndPeriod) => approvals / decided

const pattern = (group: TypeAndPeriod) => `Approved ${Math.round(100 * rate(group))} % of ${group.decided}.`
