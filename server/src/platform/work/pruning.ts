import type { Clock } from '../context.ts'
import type { Source } from './worker.ts'

const EVERY_MS = 600_000

/**
 * A source that removes what is old: a batch in each turn until nothing is left, and ten minutes later again.
 * `removeBatch` gets the time and returns how many it has removed.
 */
export function pruning(name: string, clock: Clock, removeBatch: (now: number) => Promise<number>): Source {
  let nextAt = 0
  return {
    name,
    work: async () => {
      const now = clock.now()
      if (now < nextAt) return 0
      const removed = await removeBatch(now)
      if (removed === 0) nextAt = now + EVERY_MS
      return removed
    },
  }
}
