import type { Worker } from 'node:worker_threads'
import { startWorkerThread } from '../../threads/worker-thread.ts'
import { DatabaseError, DatabaseUnavailable } from '../db.ts'
import type { Answer, Order, Report, Result, WorkerTask } from './protocol.ts'

type Question =
  Exclude<Order, { do: 'begin' }> extends infer Each ? (Each extends Order ? Omit<Each, 'id'> : never) : never

interface Asked {
  ran: () => void
  resolve: (result: Result) => void
  reject: (error: Error) => void
}

/** The worker thread with the session: sends it orders and returns each answer to its caller. */
export class Engine {
  readonly #worker: Worker
  readonly #asked = new Map<number, Asked>()
  readonly #wakes = new Map<string, Set<() => void>>()
  readonly #log: (warning: string) => void
  /** What is sent together at the end of this turn of the event loop. */
  #unsent: Order[] = []
  #ids = 0
  #lost: DatabaseUnavailable | undefined
  /** Rejects if it does not start. What is asked before waits for it. */
  readonly ready: Promise<void>
  /** Resolves when the thread has ended, and holds no file any more. */
  readonly ended: Promise<void>

  constructor(cluster: string, log: (warning: string) => void, prepared?: string) {
    const task: WorkerTask = { task: 'serve', cluster, prepared }
    this.#worker = startWorkerThread('embedded-worker', import.meta.url, task)
    this.#log = log
    this.ended = new Promise((resolve) => this.#worker.once('exit', () => resolve()))
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (report: Report) => {
        if ('ready' in report) resolve()
        else this.#receive(report)
      })
      this.#worker.on('error', (error) => this.#lose(error.message))
      this.#worker.on('exit', () => {
        this.#lose('The embedded database has ended.')
        reject(this.#lost)
      })
    })
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  /** Calls `ran` if the order has run, its answer waits for the disk, and no other order is at hand. */
  ask(question: Question, ran: () => void = () => {}): Promise<Result> {
    if (this.#lost) return Promise.reject(this.#lost)
    return new Promise((resolve, reject) => {
      const id = this.#ids++
      this.#asked.set(id, { ran, resolve, reject })
      this.tell({ ...question, id })
    })
  }

  /** Sends the order together with the others of this turn: a message costs more than most statements. */
  tell(order: Order): void {
    if (this.#unsent.push(order) > 1) return
    process.nextTick(() => {
      this.#worker.postMessage(this.#unsent)
      this.#unsent = []
    })
  }

  async listen(channel: string, wake: () => void): Promise<void> {
    this.#wakes.set(channel, (this.#wakes.get(channel) ?? new Set()).add(wake))
    await this.ask({ do: 'listen', text: `listen "${channel.replaceAll('"', '""')}"` })
  }

  async stop(): Promise<void> {
    if (this.#lost) return
    const closed = this.ask({ do: 'close' })
    this.#lost = new DatabaseUnavailable('The embedded database is closed.')
    await Promise.race([closed, this.ended])
    await this.ended
  }

  #receive(report: Exclude<Report, { ready: true }>): void {
    if ('answers' in report) for (const answer of report.answers) this.#deliver(answer)
    else if ('ran' in report) this.#asked.get(report.ran)?.ran()
    else if ('notified' in report) {
      for (const channel of report.notified) for (const wake of this.#wakes.get(channel) ?? []) wake()
    } else if ('warning' in report) this.#log(report.warning)
    else this.#lose(report.lost)
  }

  #deliver(answer: Answer): void {
    const caller = this.#asked.get(answer.id)
    this.#asked.delete(answer.id)
    if ('result' in answer) caller?.resolve(answer.result)
    else caller?.reject(new DatabaseError(answer.refusal.message, answer.refusal.code, answer.refusal.constraint))
  }

  #lose(reason: string): void {
    if (this.#lost) return
    this.#lost = new DatabaseUnavailable(reason)
    this.#log(`The embedded database is lost: ${reason}`)
    for (const { reject } of this.#asked.values()) reject(this.#lost)
    this.#asked.clear()
  }
}

const RESTART_MS = 5_000

/**
 * Keeps an engine. With `restarts`, one that had started and is lost, as by a full disk, is replaced when it is used
 * next, at most once in five seconds. Until the other is ready, calls fail with DatabaseUnavailable.
 */
export class EngineKeeper {
  /** As that of the first engine. */
  readonly ready: Promise<void>
  readonly #start: () => Engine
  readonly #listens: [channel: string, wake: () => void][] = []
  #engine: Engine
  /** Whether one that is lost is replaced; undefined until the first has started, false from `stop` on. */
  #mayRestart: boolean | undefined
  #restarting: Promise<void> | undefined
  #restartedAt = Number.NEGATIVE_INFINITY

  constructor(start: () => Engine, { restarts }: { restarts: boolean }) {
    this.#start = start
    this.#engine = start()
    this.ready = this.#engine.ready.then(() => {
      this.#mayRestart ??= restarts
    })
  }

  /** A transaction keeps the engine that it began with: if that is lost, none of its statements reaches another. */
  get current(): Engine {
    const isDue = this.#mayRestart && performance.now() - this.#restartedAt >= RESTART_MS
    if (this.#engine.isLost && isDue && !this.#restarting) {
      this.#restarting = this.#restart().finally(() => {
        this.#restarting = undefined
      })
      // The engine logs why it does not start.
      this.#restarting.catch(() => {})
    }
    return this.#engine
  }

  async listen(channel: string, wake: () => void): Promise<void> {
    this.#listens.push([channel, wake])
    await this.current.listen(channel, wake)
  }

  async stop(): Promise<void> {
    this.#mayRestart = false
    await this.#restarting?.catch(() => {})
    await this.#engine.stop()
  }

  async #restart(): Promise<void> {
    await this.#engine.ended
    this.#restartedAt = performance.now()
    const engine = this.#start()
    await engine.ready
    await Promise.all(this.#listens.map(([channel, wake]) => engine.listen(channel, wake)))
    this.#engine = engine
  }
}

/** Creates the files of a database in a folder: an empty one, or a prepared one. */
export function createCluster(folder: string, prepared?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const task: WorkerTask = { task: 'create', cluster: folder, prepared }
    const worker = startWorkerThread('embedded-worker', import.meta.url, task)
    worker.on('message', (report: Report) => {
      if ('lost' in report) reject(new DatabaseUnavailable(`The database could not be created. ${report.lost}`))
    })
    worker.on('error', reject)
    worker.on('exit', () => resolve())
  })
}
