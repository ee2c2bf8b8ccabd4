/** The shortest time in milliseconds that each work takes of five, taken in turns, so that a busy machine counts little. */
export async function shortestTimes<const Works extends readonly (() => unknown)[]>(
  works: Works,
): Promise<{ [Index in keyof Works]: number }> {
  const times = works.map(() => Number.POSITIVE_INFINITY)
  for (let run = 0; run < 5; run++) {
    for (const [index, work] of works.entries()) {
      const started = performance.now()
      await work()
      times[index] = Math.min(times[index] as number, performance.now() - started)
    }
  }
  return times as { [Index in keyof Works]: number }
}
