/** Waits for the work and calls `report` every so many milliseconds until it ends. */
export async function reportWhile<T>(work: Promise<T>, report: () => void, everyMs: number): Promise<T> {
  const timer = setInterval(report, everyMs)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
