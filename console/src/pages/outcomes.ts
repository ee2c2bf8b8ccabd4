import { TIME_STEPS } from '../ui/ticks.ts'

/** A delivery, as far as its outcome goes. */
interface Tried {
  status: string
  lastAttempt: object | null
}

interface Outcome extends Tried {
  createdAt: number
}

/** What has come of deliveries; `failing` are those that failed so far, and are tried again. */
const OUTCOMES = ['succeeded', 'failing', 'failed'] as const

/** What has come of a delivery; undefined where nothing was tried yet, or it was cancelled. */
function outcomeOf({ status, lastAttempt }: Tried): (typeof OUTCOMES)[number] | undefined {
  if (status === 'pending') return lastAttempt === null ? undefined : 'failing'
  return OUTCOMES.find((each) => each === status)
}

const MOST_STEPS = 40
const DAY_S = 86_400

/** So many steps at least: what is all of one step stands in the middle of them. */
const FEWEST_STEPS = 11

/**
 * Counts how many succeeded, are failing and failed in equal steps of time, 11 to 40. `x` is the start of each in
 * seconds, and `length` how many it lasts: a round number of seconds, minutes, hours or days, at which the steps begin.
 */
export function outcomesOverTime(rows: Outcome[]) {
  const times = rows.map(({ createdAt }) => createdAt / 1000)
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const length = TIME_STEPS.find((step) => (last - first) / step <= MOST_STEPS - 1) ?? lengthOf(last - first)
  // Days begin at midnight where the reader is.
  const shift = new Date(first * 1000).getTimezoneOffset() * 60
  const firstStep = Math.floor((first - shift) / length)
  const used = Math.floor((last - shift) / length) - firstStep + 1
  const steps = Math.max(FEWEST_STEPS, used)
  const start = (firstStep - Math.floor((steps - used) / 2)) * length + shift
  const counts = Array.from({ length: steps }, () => ({ succeeded: 0, failing: 0, failed: 0 }))
  for (const row of rows) {
    const step = counts[Math.floor((row.createdAt / 1000 - start) / length)]
    const outcome = outcomeOf(row)
    if (step && outcome) step[outcome] += 1
  }
  return {
    x: counts.map((_, index) => start + index * length),
    length,
    succeeded: counts.map(({ succeeded }) => succeeded),
    failing: counts.map(({ failing }) => failing),
    failed: counts.map(({ failed }) => failed),
  }
}

/** So many whole days that the steps of so many seconds are few enough. */
const lengthOf = (seconds: number) => Math.ceil(seconds / DAY_S / (MOST_STEPS - 1)) * DAY_S

/** One step of time with its counts. */
export interface Step {
  /** Its start, in epoch seconds. */
  x: number
  succeeded: number
  failing: number
  failed: number
}

/** The steps in which anything was tried. */
export const stepsOf = ({ x, succeeded, failing, failed }: ReturnType<typeof outcomesOverTime>): Step[] =>
  x
    .map((each, index) => ({
      x: each,
      succeeded: succeeded[index] ?? 0,
      failing: failing[index] ?? 0,
      failed: failed[index] ?? 0,
    }))
    .filter((step) => step.succeeded + step.failing + step.failed > 0)

/** How many have come to what, how many are pending at all, and the share of those that ended which succeeded. */
export function countOutcomes(rows: Tried[]) {
  const count = (outcome: string) => rows.filter((row) => outcomeOf(row) === outcome).length
  const [succeeded, failing, failed] = [count('succeeded'), count('failing'), count('failed')]
  const pending = rows.filter(({ status }) => status === 'pending').length
  const rate = succeeded + failed === 0 ? null : succeeded / (succeeded + failed)
  return { pending, failing, succeeded, failed, rate }
}

/** Below this share of successes an endpoint is failing. */
const SOUND = 0.95

/**
 * How an endpoint does by its latest deliveries: it is failing while one of them waits to be sent again, or where less
 * than 95 % of those that ended succeeded. While nothing was tried, it is untried.
 */
export function healthOf(deliveries: Tried[]): 'untried' | 'failing' | 'sound' {
  const { failing, rate } = countOutcomes(deliveries)
  const isTried = deliveries.some(({ lastAttempt }) => lastAttempt !== null)
  if (failing > 0 || (rate !== null && rate < SOUND)) return 'failing'
  return isTried || rate !== null ? 'sound' : 'untried'
}
