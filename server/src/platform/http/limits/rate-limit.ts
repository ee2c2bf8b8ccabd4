import { LRUCache } from 'lru-cache'
import { type Db, sql } from '../../db/db.ts'
import type { Allowance } from './call-limits.ts'

/** Counts calls per subject across all processes. */
export interface RateLimiter {
  consume(subject: string): Promise<Allowance>
  /** The refusal of a subject that this process knows to be over its limit. It counts nothing. */
  refused(subject: string): Allowance | undefined
}

interface RateLimit {
  name: string
  /** Calls per window; 0 switches the limit off. */
  points: number
  windowSeconds: number
}

const SWEEP_EVERY = 1000
const MAX_KNOWN_REFUSED = 10_000

/**
 * Creates a limiter; the database counts the windows by its clock. A subject over its limit is refused from memory
 * until its window ends, so that a flood costs the database nothing.
 */
export function createRateLimiter(db: Db, { name, points, windowSeconds }: RateLimit): RateLimiter | undefined {
  if (points === 0) return undefined
  const refusedUntil = new LRUCache<string, number>({ max: MAX_KNOWN_REFUSED })
  let calls = 0
  const allowance = (used: number, resetMs: number): Allowance => ({
    allowed: used <= points,
    limit: points,
    remaining: Math.max(0, points - used),
    resetSeconds: Math.max(1, Math.ceil(resetMs / 1000)),
  })
  const refused = (subject: string) => {
    const waitMs = (refusedUntil.get(subject) ?? 0) - performance.now()
    return waitMs > 0 ? allowance(points + 1, waitMs) : undefined
  }
  return {
    refused,
    async consume(subject) {
      const known = refused(subject)
      if (known) return known
      const { used, resetMs } = await count(db, `${name}:${subject}`, points, windowSeconds * 1000)
      if (used > points) refusedUntil.set(subject, performance.now() + resetMs)
      if (++calls % SWEEP_EVERY === 0) await db.query(sql`delete from rate_limit where resets_at <= now_ms()`)
      return allowance(used, resetMs)
    },
  }
}

interface Count {
  used: number
  resetMs: number
}

/** Counts one call; starts a new window if the last one has ended. */
async function count(db: Db, key: string, points: number, windowMs: number): Promise<Count> {
  const [row] = await db.query<Count>(sql`
    insert into rate_limit as held (key, points, resets_at)
    values (${key}, 1, now_ms() + ${windowMs})
    on conflict (key) do update
    set (points, resets_at) = (
      select
        case when is_over then 1 else least(held.points, ${points}) + 1 end,
        case when is_over then excluded.resets_at else held.resets_at end
      from (select held.resets_at <= excluded.resets_at - ${windowMs} as is_over) as last_window
    )
    returning points as used, resets_at - now_ms() as "resetMs"`)
  if (!row) throw new Error('Counting a call returned no row.')
  return row
}
