interface Outcome {
  createdAt: number
  status: string
}

const MOST_STEPS = 40

/** Counts how many succeeded and failed in equal steps of time, at most 40; `x` is the start of each in seconds. */
export function outcomesOverTime(rows: Outcome[]): { x: number[]; succeeded: number[]; failed: number[] } {
  const times = rows.map(({ createdAt }) => createdAt)
  const first = Math.min(...times)
  const steps = Math.min(MOST_STEPS, rows.length)
  const length = Math.max(1, Math.ceil((Math.max(...times) - first + 1) / steps))
  const counts = Array.from({ length: steps }, () => ({ succeeded: 0, failed: 0 }))
  for (const { createdAt, status } of rows) {
    const step = counts[Math.floor((createdAt - first) / length)]
    if (step && (status === 'succeeded' || status === 'failed')) step[status] += 1
  }
  return {
    x: counts.map((_, index) => (first + index * length) / 1000),
    succeeded: counts.map(({ succeeded }) => succeeded),
    failed: counts.map(({ failed }) => failed),
  }
}

/** One step of time with its counts. */
export interface Step {
  /** Its start, in epoch seconds. */
  x: number
  succeeded: number
  failed: number
}

/** The steps in which anything was settled. */
export const stepsOf = ({ x, succeeded, failed }: ReturnType<typeof outcomesOverTime>): Step[] =>
  x
    .map((each, index) => ({ x: each, succeeded: succeeded[index] ?? 0, failed: failed[index] ?? 0 }))
    .filter((step) => step.succeeded + step.failed > 0)
