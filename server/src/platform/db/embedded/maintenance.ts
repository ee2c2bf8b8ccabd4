import { toParameters } from '../parameters.ts'
import { Refused } from './protocol.ts'
import type { EmbeddedSession } from './session.ts'

/** How long orders may write to the log before its length is looked at. */
const BOUND_LOG_MS = 50
/** How often a short log is checkpointed too, and tables are checked for vacuum. */
const MAINTENANCE_MS = 60_000

/** Does between orders what background processes of PostgreSQL do: an embedded one has none. */
export class Maintenance {
  readonly #session: EmbeddedSession
  readonly #warn: (warning: string) => void
  #boundedLogAt = 0
  #maintainedAt = performance.now()
  /** The tables vacuumed in this round, while there is one. */
  #vacuumed: Set<string> | undefined

  constructor(session: EmbeddedSession, warn: (warning: string) => void) {
    this.#session = session
    this.#warn = warn
  }

  /** Whether orders have written to the log for so long that `boundLog` is due. */
  isLogDue(now: number): boolean {
    return now - this.#boundedLogAt >= BOUND_LOG_MS
  }

  /** Keeps the log from growing. Also inside a long transaction, whose log must stay bounded too. */
  async boundLog(): Promise<void> {
    await this.#session.boundLog()
    this.#boundedLogAt = performance.now()
  }

  /** The next step, to be made about once a second. Once a minute a round begins: a checkpoint, then each table. */
  async step(): Promise<void> {
    if (performance.now() - this.#maintainedAt >= MAINTENANCE_MS) {
      await this.#session.checkpoint()
      this.#maintainedAt = performance.now()
      this.#vacuumed = new Set()
    }
    // One table at a time, so that orders do not wait for all of them.
    if (this.#vacuumed) await this.#vacuum(this.#vacuumed)
  }

  async #vacuum(done: Set<string>): Promise<void> {
    let table: string | undefined
    try {
      table = await vacuumNext(this.#session, done)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.#warn(`A table could not be vacuumed: ${error.message}`)
    }
    if (table) done.add(table)
    else this.#vacuumed = undefined
  }
}

/**
 * Vacuums and analyzes the table that needs it most by autovacuum's rules, and returns its name. Tables in `done` are
 * skipped; undefined when no other needs it, or inside a transaction.
 */
export async function vacuumNext(session: EmbeddedSession, done: Iterable<string>): Promise<string | undefined> {
  if (session.inTransaction) return undefined
  // Otherwise the counts of the last second would be missing.
  await session.run('select pg_stat_force_next_flush()', [])
  const { rows } = await session.run(MOST_IN_NEED_OF_VACUUM, toParameters([[...done]]))
  const table = rows[0]?.[0] ?? undefined
  if (table) await session.vacuum(table)
  return table
}

const MOST_IN_NEED_OF_VACUUM = `
  select c.oid::regclass::text
  from pg_class c
  left join pg_stat_all_tables s on s.relid = c.oid
  where c.relkind in ('r', 'm')
  and c.oid::regclass::text <> all ($1::text[])
  and (
    s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
    or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)
    or (s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0) and c.relname <> 'pg_statistic')
    or age(c.relfrozenxid) > 150000000
  )
  order by age(c.relfrozenxid) > 150000000 desc, s.n_dead_tup desc
  limit 1`
