import type uPlot from 'uplot'
import { numberText, percentText } from './text.ts'
import { COUNT_STEPS, SHARE_STEPS, TIME_STEPS, timeTicks } from './ticks.ts'

type Values = (number | null)[]

/** What is drawn. A count holds for `step` seconds, so a last point ends the last step. */
export function dataOf(x: number[], values: Values[], step: number | undefined): uPlot.AlignedData {
  const last = x.at(-1)
  if (step === undefined || last === undefined) return [x, ...values]
  return [[...x, last + step], ...values.map((each) => [...each, each.at(-1) ?? null])]
}

const TIMES: uPlot.Axis = {
  incrs: TIME_STEPS,
  space: 80,
  values: (_plot, times, _axis, _space, step) => timeTicks(times, step),
}
const SHARES: uPlot.Axis = { incrs: SHARE_STEPS, values: (_plot, shares) => shares.map(percentText) }
const COUNTS: uPlot.Axis = { incrs: COUNT_STEPS, values: (_plot, counts) => counts.map(numberText) }

/** The axis of times in epoch seconds, or of shares. */
export const axisOfX = (time: boolean): uPlot.Axis => (time ? TIMES : SHARES)

/** The axis of counts where each holds for `step` seconds; without it of shares. */
export const axisOfY = (step: number | undefined): uPlot.Axis => (step === undefined ? SHARES : COUNTS)

/** From 0, to 1 for shares and for counts at least to 1. */
export const rangeOf = (step: number | undefined): uPlot.Scale.Range =>
  step === undefined ? [0, 1] : (_plot, _least, most) => [0, Math.max(1, most)]
