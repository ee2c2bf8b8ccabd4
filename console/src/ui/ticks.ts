const DAY_S = 86_400
const LOCALE = 'en-GB'
const CLOCK = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' })
const SECONDS = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' })
const DAY = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' })
const YEAR = new Intl.DateTimeFormat(LOCALE, { year: 'numeric' })
const DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' })

/** The distances that ticks of time may have, in seconds: none is shorter than a second. */
export const TIME_STEPS = [
  ...[1, 5, 10, 15, 30],
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * 60),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 3600),
  ...[1, 2, 7, 30, 90, 365].map((days) => days * DAY_S),
]

/** The distances of ticks of counts, which are whole. */
export const COUNT_STEPS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7].flatMap((power) => [power, 2 * power, 5 * power])

/** The distances of ticks of shares between 0 and 1: whole percents. */
export const SHARE_STEPS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5]

/**
 * The texts of ticks at times in epoch seconds, which are `step` seconds apart, as the tables write times. The first
 * one and each of another day say the date on a second line; of ticks that are days, those of another year say the
 * year.
 */
export function timeTicks(times: number[], step: number): string[] {
  const [text, context] = step >= DAY_S ? [DAY, YEAR] : [step >= 60 ? CLOCK : SECONDS, DATE]
  const contexts = times.map((time) => context.format(time * 1000))
  return times.map((time, index) => {
    const line = text.format(time * 1000)
    return contexts[index] === contexts[index - 1] ? line : `${line}\n${contexts[index]}`
  })
}
