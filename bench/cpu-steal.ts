import { readFileSync } from 'node:fs'
import { round } from './table.ts'

// The columns of a `cpu` line in /proc/stat: `steal` is the eighth. The two after it are included in the first two.
const STEAL = 7

/** Ticks of all cores since boot; undefined where the system does not report them (proc(5)). */
function coreTime(): { stolen: number; all: number } | undefined {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    const ticks = line
      .split(/\s+/)
      .slice(1, STEAL + 2)
      .map(Number)
    return { stolen: ticks[STEAL] ?? 0, all: ticks.reduce((sum, each) => sum + each, 0) }
  } catch {
    return undefined
  }
}

/** Returns a function that reports the CPU steal since this call. Above a few percent, measured times mean little. */
export function measureCpuSteal(): () => string {
  const before = coreTime()
  return () => {
    const after = coreTime()
    if (!before || !after || after.all === before.all) return 'CPU steal: unknown on this system.'
    const share = (after.stolen - before.stolen) / (after.all - before.all)
    return `CPU steal: ${round(100 * share, 0)} % of the cores’ time.`
  }
}
