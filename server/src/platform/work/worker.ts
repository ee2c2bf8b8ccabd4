import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, DatabaseUnavailable, type Db, join, type Sql, sql } from '../db/db.ts'
import type { Log } from '../log.ts'
import { BY_MESSAGE, seldom } from '../seldom.ts'
import type { Backlog } from './backlog.ts'
import { Outage } from './outage.ts'
import { Wakeup, WORK_CHANNEL } from './wakeup.ts'

/** Something that has work: jobs, deliveries, periodic tasks. */
export interface Source {
  readonly name: string
  /**
   * Claims and runs one batch; returns how many items it claimed, or 0 if it knows that no other was ready. After 0,
   * the next notification or poll calls it again. To be called earlier, it passes the delay to `schedule`; that holds
   * until its next call.
   */
  work(schedule: (inMs: number) => void): Promise<number>
  /**
   * SQL: whether there is something that `work` would claim now. Notifications and polls ask this of all sources in one
   * statement, and call `work` only where it is true. A source without it is called each time.
   */
  due?(): Sql
  /** Whether notifications call it without asking: what it claims is to be sent at once. */
  readonly isUrgent?: boolean
  /** Measures what waits for it, by a bounded statement. Sources without a queue have none. */
  backlog?(db: Db, now: number): Promise<Backlog[]>
  /** Waits for some of the items that `work` left running. Returns 0 when none is running or postponed. */
  settle?(): Promise<number>
}

const POLL_MS = 1_000
// Many commits share one question whether their work is due. Meanwhile urgent sources have the database to themselves.
const ASK_AFTER_MS = 10
/** Polls take at most this share of the time, unless they are this far apart. */
const MAX_SHARE_OF_TIME = 1 / 20
const MAX_PAUSE_MS = 5_000

/** Runs each source in a loop of its own until stopped, so a slow source delays no other. */
export interface Worker {
  start(): Promise<void>
  /** How long ago each running loop turned, or waited at a poll. That is a second, unless its source is stuck. */
  turns(): { source: Source; agoMs: number }[]
  /** Runs until no source has work due. For tests, and for the last step of a shutdown. */
  drain(): Promise<void>
  /** Finishes the running batches and stops. */
  stop(): Promise<void>
}

/**
 * Creates the worker of a process. NOTIFY wakes it, at once for urgent sources; of the others it asks 10 ms later which
 * have work. A poll at the start and each second covers a lost notification, the work of a process that died, and what
 * becomes due with time.
 */
export function createWorker(database: Database, sources: Source[], log: Log): Worker {
  const stopping = new AbortController()
  // Each loop of a source that fails waits with it. Node warns of more than ten, in a line of its own among the log's.
  setMaxListeners(0, stopping.signal)
  const state = newLoops(log, stopping.signal)
  const { wakeups, waiting, turnedAt } = state
  const questions = new Questions()
  let loops: Promise<void>[] = []

  async function wakeDue(asked: Source[]): Promise<void> {
    const due = await findDue(database.work, asked, state)
    for (const source of due) wakeups.get(source)?.signal()
  }

  async function poll(): Promise<void> {
    await wakeDue(sources)
    for (const source of waiting) turnedAt.set(source, performance.now())
  }

  const askOthers = () => wakeDue(sources.filter(({ isUrgent }) => !isUrgent))

  const notified = () => {
    for (const source of sources) if (source.isUrgent) wakeups.get(source)?.signal()
    questions.notify()
  }

  const settleAll = () => Promise.all(sources.map((source) => source.settle?.() ?? 0))

  const wakeAll = () => {
    for (const wakeup of wakeups.values()) wakeup.signal()
    questions.notify()
  }

  return {
    async start() {
      await database.listen(WORK_CHANNEL, notified)
      loops = [
        ...sources.map((source) => loop(source, state)),
        questions.run(askOthers, stopping.signal),
        repeat(poll, stopping.signal),
      ]
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

/** What the loops of a worker share. */
interface Loops {
  log: Log
  outage: Outage
  /** Tells of polls that fail though the database answers. */
  tellUnasked: ReturnType<typeof seldom>
  /** Ends them. */
  signal: AbortSignal
  /** Each begins the next turn of its source. */
  wakeups: Map<Source, Wakeup>
  /** The sources that wait for theirs. */
  waiting: Set<Source>
  /** When each last began a turn, ended one, or was polled while it waited. */
  turnedAt: Map<Source, number>
}

const newLoops = (log: Log, signal: AbortSignal): Loops => ({
  log,
  outage: new Outage(log),
  tellUnasked: seldom((err, failures) => log.error({ err, failures }, 'could not ask which work is due'), BY_MESSAGE),
  signal,
  wakeups: new Map(),
  waiting: new Set(),
  turnedAt: new Map(),
})

/** Counts as claimed, so that a source that failed is called again. */
const FAILED = 1

/** Waits for a wake-up before each turn, also the first: at the start only sources with work due have one. */
async function loop(source: Source, { log, outage, signal, wakeups, waiting, turnedAt }: Loops): Promise<void> {
  const about = { source: source.name }
  const tell = seldom((err, failures) => log.error({ err, ...about, failures }, 'source of work failed'), BY_MESSAGE)
  let wakeup = new Wakeup()
  wakeups.set(source, wakeup)
  while (true) {
    turnedAt.set(source, performance.now())
    waiting.add(source)
    await wakeup.signalled
    waiting.delete(source)
    if (signal.aborted) return
    turnedAt.set(source, performance.now())
    // Created before the source looks for work, so that no notification is missed.
    const next = new Wakeup()
    wakeups.set(source, next)
    const claimed = await source
      .work((inMs) => next.signalIn(inMs))
      .catch((error: unknown) => {
        if (error instanceof DatabaseUnavailable) outage.failed(error, about)
        else tell(error)
        return delay(POLL_MS, FAILED, { signal }).catch(() => FAILED)
      })
    if (claimed !== 0) next.signal()
    wakeup = next
  }
}

/** Asks 10 ms after a notification: those that come meanwhile share the question. */
class Questions {
  #notification = new Wakeup()

  notify(): void {
    this.#notification.signal()
  }

  async run(ask: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (true) {
      await this.#notification.signalled
      await delay(ASK_AFTER_MS, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      // Created before the question, so that no notification is missed.
      this.#notification = new Wakeup()
      await ask()
    }
  }
}

/** Polls until stopped: at once, then each second, and less often while a poll takes long. */
async function repeat(poll: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let pauseMs = 0; ; ) {
    await delay(pauseMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    const start = performance.now()
    await poll()
    const restMs = (performance.now() - start) * (1 / MAX_SHARE_OF_TIME - 1)
    pauseMs = Math.min(Math.max(POLL_MS, restMs), MAX_PAUSE_MS)
  }
}

/**
 * Returns the sources that may have work: those that cannot say, and those for which something is due; all of them if
 * the database does not answer.
 */
async function findDue(db: Db, sources: Source[], { outage, tellUnasked }: Loops): Promise<Source[]> {
  try {
    const conditions = sources.map((source) => source.due?.() ?? sql`true`)
    const [row] = await db.query<{ due: boolean[] }>(sql`select array[${join(conditions)}] as due`)
    outage.answered()
    return sources.filter((_, index) => row?.due[index])
  } catch (error) {
    if (error instanceof DatabaseUnavailable) outage.failed(error)
    else tellUnasked(error)
    return sources
  }
}

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
