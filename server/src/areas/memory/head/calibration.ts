/** A predicted probability of an approval, and the outcome. */
export interface Forecast {
  probability: number
  approve: boolean
}

/** The share of forecasts whose more likely side was decided; NaN of none. */
export function accuracy(forecasts: Forecast[]): number {
  return mean(forecasts.map(({ probability, approve }) => Number(probability >= 0.5 === approve)))
}

/**
 * The probability that an approval got a higher prediction than a rejection (area under the ROC curve); NaN unless
 * there are both.
 */
export function auc(forecasts: Forecast[]): number {
  const sorted = forecasts.toSorted((a, b) => a.probability - b.probability)
  let ranks = 0
  for (let from = 0; from < sorted.length; ) {
    let to = from
    let approvals = 0
    while (to < sorted.length && sorted[to]?.probability === sorted[from]?.probability) {
      approvals += Number(sorted[to]?.approve)
      to++
    }
    ranks += approvals * ((from + 1 + to) / 2)
    from = to
  }
  const approvals = forecasts.filter(({ approve }) => approve).length
  return (ranks - (approvals * (approvals + 1)) / 2) / (approvals * (forecasts.length - approvals))
}

/** The mean squared difference between the predicted probability and the outcome: 0 is perfect, 0.25 is a coin. */
export function brierScore(forecasts: Forecast[]): number {
  return mean(forecasts.map(({ probability, approve }) => (probability - Number(approve)) ** 2))
}

/** Forecasts of similar confidence: the mean confidence and how many were right. */
export interface ReliabilityRow {
  from: number
  to: number
  count: number
  confidence: number
  accuracy: number
}

/** Forecasts by confidence, in ten bins from 0.5 to 1; without those that are empty. */
export function reliability(forecasts: Forecast[]): ReliabilityRow[] {
  return Array.from({ length: BINS }, (_, bin) => {
    const from = 0.5 + (0.5 * bin) / BINS
    const to = from + 0.5 / BINS
    const inside = forecasts.filter((forecast) => binOf(forecast) === bin)
    return { from, to, count: inside.length, confidence: mean(inside.map(confidence)), accuracy: accuracy(inside) }
  }).filter(({ count }) => count)
}

/** Expected calibration error: the mean distance between confidence and accuracy, over the bins of `reliability`. */
export function calibrationError(forecasts: Forecast[]): number {
  const gaps = reliability(forecasts).map((row) => row.count * Math.abs(row.confidence - row.accuracy))
  return gaps.reduce((sum, gap) => sum + gap, 0) / forecasts.length
}

/** The mean; NaN of no values. */
export function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

const BINS = 10

function binOf(forecast: Forecast): number {
  return Math.min(BINS - 1, Math.floor((confidence(forecast) - 0.5) * 2 * BINS))
}

/** The probability of the more likely side. */
export function confidence({ probability }: Forecast): number {
  return Math.max(probability, 1 - probability)
}
