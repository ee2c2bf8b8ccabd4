import { readFileSync } from 'node:fs'
import { round } from './table.ts'

// The columns of a `cpu` line in /proc/stat: `steal` is the eighth; the two after it are counted in the first two.
const STEAL = 7

/** So far, in ticks of all cores; undefined where the system does not tell (proc(5)). */
function coreTime(): { withheld: number; all: number } | undefined {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    const ticks = line
      .split(/\s+/)
      .slice(1, STEAL + 2)
      .map(Number)
    return { withheld: ticks[STEAL] ?? 0, all: ticks.reduce((sum, each) => sum + each, 0) }
  } catch {
    return undefined
  }
}

/** Tells of the time since the call how much of it the host gave to others: beside more than a few percent times mean little. */
export function watchCpuSteal(): () => string {
  const before = coreTime()
  return () => {
    const after = coreTime()
    if (!before || !after || after.all === before.all)
      return 'It is unknown how much of the cores’ time the host withheld.'
    const share = (after.withheld - before.withheld) / (after.all - before.all)
    return `The host withheld ${round(100 * share, 0)} % of the cores’ time.`
  }
}
