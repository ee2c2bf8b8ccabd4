import type { Clock } from '../context.ts'
import type { Source } from '../work/worker.ts'
import type { Db } from './db.ts'
import { ensureStatistics, HUNDREDS_OF_ROWS } from './statistics.ts'

const EVERY_MS = 5_000

/**
 * Gives statistics to tables soon after an import filled them. Autovacuum, and the maintenance of the embedded
 * database, take up to a minute to do it. Until then the planner takes each look-up for one row, by any index that
 * begins with the organization, and a call that looks up a thousand reads the organization a thousand times.
 */
export function statisticsKeeping(db: Db, clock: Clock): Source {
  let nextAt = 0
  return {
    name: 'statistics',
    work: async () => {
      if (clock.now() < nextAt) return 0
      nextAt = clock.now() + EVERY_MS
      await ensureStatistics(db, HUNDREDS_OF_ROWS)
      return 0
    },
  }
}
