import { setTimeout as delay } from 'node:timers/promises'
import { type Database, sql } from '../db/db.ts'
import type { Log } from '../log.ts'
import { Wakeup } from './wakeup.ts'

/** Something that has work: jobs, deliveries, periodic tasks. */
export interface Source {
  readonly name: string
  /**
   * Claims and works one batch; answers how many items it claimed. After none it is called again by the next
   * notification or poll, or earlier when it says so through `again`, which stays good until the next call.
   */
  work(again: (inMs: number) => void): Promise<number>
  /** Waits for some of what `work` has left under way; 0 when there is none, and nothing that `work` has put off. */
  settle?(): Promise<number>
}

const CHANNEL = 'precedent_work'
const POLL_MS = 1_000
const NOTIFY_EVERY_MS = 5

/** Runs sources until stopped; each in its own loop, so that a slow one delays no other. */
export interface Worker {
  start(): Promise<void>
  /** Works until every source has nothing due (tests, and the last step of a drain). */
  drain(): Promise<void>
  /** Finishes the batches in hand and stops. */
  stop(): Promise<void>
}

/** Makes the worker of a process. Woken by NOTIFY, and by a slow poll that covers a lost one. */
export function createWorker(database: Database, sources: Source[], log: Log): Worker {
  const stopping = new AbortController()
  const bells = new Set<Wakeup>()
  let loops: Promise<void>[] = []

  async function loop(source: Source): Promise<void> {
    while (!stopping.signal.aborted) {
      // Before looking for work, so that no wake is missed.
      const bell = new Wakeup()
      bells.add(bell)
      bell.ringIn(POLL_MS)
      const claimed = await source
        .work((inMs) => bell.ringIn(inMs))
        .catch((error: unknown) => {
          log.error({ err: error, source: source.name }, 'source of work failed')
          return delay(POLL_MS, 0, { signal: stopping.signal }).catch(() => 0)
        })
      if (claimed !== 0) bell.ring()
      await bell.rung
      bells.delete(bell)
    }
  }

  const settleAll = () => Promise.all(sources.map((source) => source.settle?.() ?? 0))

  const ringAll = () => {
    for (const bell of bells) bell.ring()
  }

  return {
    async start() {
      await database.listen(CHANNEL, ringAll)
      loops = sources.map(loop)
    },
    async drain() {
      for (let worked = 1; worked > 0; ) {
        worked = sum(await Promise.all(sources.map((source) => source.work(() => {}))))
        if (worked === 0) worked = sum(await settleAll())
      }
    },
    async stop() {
      stopping.abort()
      ringAll()
      await Promise.all(loops)
      while (sum(await settleAll()) > 0);
    },
  }
}

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)

/**
 * Answers a function to call after a commit that may have left work. It sends NOTIFY at once, and then at most every few
 * milliseconds: inside the transaction it would serialise all commits on one lock. A lost hint costs at most one poll
 * interval.
 */
export function createWakeup(database: Database, log: Log): () => void {
  let pending = false
  let next = 0

  function notify(): void {
    pending = false
    next = performance.now() + NOTIFY_EVERY_MS
    database
      .query(sql`select pg_notify(${CHANNEL}, '')`)
      .catch((error: unknown) => log.warn({ err: error }, 'could not wake the workers; they poll'))
  }

  return () => {
    if (pending) return
    pending = true
    const wait = next - performance.now()
    if (wait > 0) setTimeout(notify, wait).unref()
    else notify()
  }
}
