/** The log-odds of a probability, at most 9.2 either way. */
export function logOdds(probability: number): number {
  const p = Math.min(1 - 1e-4, Math.max(1e-4, probability))
  return Math.log(p / (1 - p))
}

/** The probability of log-odds, also of such beyond those of `logOdds`. */
export const probabilityOf = (logit: number): number => 1 / (1 + Math.exp(-logit))

/** The share of approvals, drawn to another as if by two decisions: without any decisions it is the other. */
export const drawnRate = (approvals: number, rejections: number, drawnTo: number): number =>
  (approvals + 2 * drawnTo) / (approvals + rejections + 2)

/** The share of approvals with one added to each side. */
export const smoothedRate = (approvals: number, rejections: number): number => drawnRate(approvals, rejections, 0.5)
