import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Db } from '../db/db.ts'
import type { Log } from '../log.ts'
import type { Backlog } from './backlog.ts'
import { Wakeup, WORK_CHANNEL } from './wakeup.ts'

/** Something that has work: jobs, deliveries, periodic tasks. */
export interface Source {
  readonly name: string
  /**
   * Claims and runs one batch; returns how many items it claimed. After none, the next notification or poll calls it
   * again. To be called earlier, it passes the delay to `schedule`; that holds until its next call.
   */
  work(schedule: (inMs: number) => void): Promise<number>
  /** Measures what waits for it, by a bounded statement. Sources without a queue have none. */
  backlog?(db: Db, now: number): Promise<Backlog[]>
  /** Waits for some of the items that `work` left running. Returns 0 when none is running or postponed. */
  settle?(): Promise<number>
}

const POLL_MS = 1_000

/** Runs each source in a loop of its own until stopped, so a slow source delays no other. */
export interface Worker {
  start(): Promise<void>
  /** How long ago each running loop turned last. A loop turns every second, unless its source is stuck. */
  turns(): { source: Source; agoMs: number }[]
  /** Runs until no source has work due. For tests, and for the last step of a shutdown. */
  drain(): Promise<void>
  /** Finishes the running batches and stops. */
  stop(): Promise<void>
}

/** Creates the worker of a process. NOTIFY wakes it; a slow poll covers a lost notification. */
export function createWorker(database: Database, sources: Source[], log: Log): Worker {
  const stopping = new AbortController()
  const wakeups = new Set<Wakeup>()
  const turnedAt = new Map<Source, number>()
  let loops: Promise<void>[] = []

  async function loop(source: Source): Promise<void> {
    while (!stopping.signal.aborted) {
      turnedAt.set(source, performance.now())
      // Created before the source looks for work, so that no notification is missed.
      const wakeup = new Wakeup()
      wakeups.add(wakeup)
      wakeup.signalIn(POLL_MS)
      const claimed = await source
        .work((inMs) => wakeup.signalIn(inMs))
        .catch((error: unknown) => {
          log.error({ err: error, source: source.name }, 'source of work failed')
          return delay(POLL_MS, 0, { signal: stopping.signal }).catch(() => 0)
        })
      turnedAt.set(source, performance.now())
      if (claimed !== 0) wakeup.signal()
      await wakeup.signalled
      wakeups.delete(wakeup)
    }
  }

  const settleAll = () => Promise.all(sources.map((source) => source.settle?.() ?? 0))

  const wakeAll = () => {
    for (const bell of wakeups) bell.signal()
  }

  return {
    async start() {
      await database.listen(WORK_CHANNEL, wakeAll)
      loops = sources.map(loop)
    },
    turns: () => [...turnedAt].map(([source, at]) => ({ source, agoMs: performance.now() - at })),
    async drain() {
      for (let worked = 1; worked > 0; ) {
        worked = sum(await Promise.all(sources.map((source) => source.work(() => {}))))
        if (worked === 0) worked = sum(await settleAll())
      }
    },
    async stop() {
      stopping.abort()
      wakeAll()
      await Promise.all(loops)
      while (sum(await settleAll()) > 0);
    },
  }
}

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
