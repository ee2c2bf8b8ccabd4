import { setImmediate } from 'node:timers/promises'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { DurableNodeFS } from './embedded-filesystem.ts'
import type { Answer, Order, Report, Result, WorkerTask } from './embedded-protocol.ts'
import { createCluster, EmbeddedSession, Refused } from './embedded-session.ts'

/** How long an answer may wait for others to share its flush while a transaction is open. */
const SHARE_FLUSH_MS = 5
const TICK_MS = 1_000
/** How often a short log is checkpointed too, and tables are checked for vacuum. */
const MAINTENANCE_MS = 60_000

/** Carries out orders one after the other; sends an answer only after its changes are on the disk. */
class Desk {
  readonly #port: MessagePort
  readonly #session: EmbeddedSession
  readonly #orders: Order[] = []
  /** The answers that wait for the next flush, and since when the oldest waits. */
  #answers: Answer[] = []
  #waitingSince = 0
  #working = false
  #tick = false
  #maintainedAt = performance.now()
  /** The tables vacuumed in this round, while there is one. */
  #vacuumed: Set<string> | undefined

  constructor(port: MessagePort, session: EmbeddedSession) {
    this.#port = port
    this.#session = session
    port.on('message', (order: Order) => {
      this.#orders.push(order)
      this.#wake()
    })
    setInterval(() => {
      this.#tick = true
      this.#wake()
    }, TICK_MS)
  }

  #wake(): void {
    if (this.#working) return
    this.#working = true
    this.#work()
      .catch((error: unknown) => lose(this.#port, error))
      .finally(() => {
        this.#working = false
        if (this.#orders.length > 0) this.#wake()
      })
  }

  async #work(): Promise<void> {
    for (let order = this.#next(); order; order = this.#next()) {
      await this.#carryOut(order)
      if (this.#isOverdue()) {
        await this.#settle()
        await setImmediate()
      }
      if (this.#tick) await this.#maintain()
    }
    if (this.#tick) await this.#maintain()
    // An open transaction will commit soon and share the flush.
    if (!this.#session.inTransaction || this.#isOverdue()) await this.#settle()
    else if (this.#answers.length > 0) setTimeout(() => this.#wake(), SHARE_FLUSH_MS)
  }

  #isOverdue(): boolean {
    return this.#answers.length > 0 && performance.now() - this.#waitingSince >= SHARE_FLUSH_MS
  }

  #next(): Order | undefined {
    return this.#orders.shift() ?? receiveMessageOnPort(this.#port)?.message
  }

  async #carryOut(order: Order): Promise<void> {
    if (order.do === 'begin') return this.#session.begin()
    if (order.do === 'close') return this.#close(order.id)
    const { id } = order
    const answer = await this.#execute(order).then(
      (result): Answer => ({ id, result }),
      (error: unknown): Answer => {
        if (!(error instanceof Refused)) throw error
        return { id, refusal: error.refusal }
      },
    )
    if (this.#session.inTransaction) return this.#report({ answers: [answer] })
    if (this.#answers.push(answer) === 1) this.#waitingSince = performance.now()
  }

  async #execute(order: Exclude<Order, { do: 'begin' | 'close' }>): Promise<Result> {
    switch (order.do) {
      case 'run':
        return this.#session.run(order.text, order.values)
      case 'script':
        return this.#session.script(order.text)
      case 'listen':
        return this.#session.run(order.text, [])
    }
    await this.#session[order.do]()
    return { columns: [], rows: [] }
  }

  /** Makes everything so far durable, then sends the answers that waited for it. */
  async #settle(): Promise<void> {
    if (this.#answers.length === 0 || !(await this.#session.flush())) return
    this.#report({ answers: this.#answers })
    this.#answers = []
  }

  async #maintain(): Promise<void> {
    this.#tick = false
    // Also inside a long transaction, whose log must stay bounded too.
    if (!(await this.#session.flush())) return
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
      table = await this.#session.vacuum(done)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.#report({ warning: `A table could not be vacuumed: ${error.message}` })
    }
    if (table) done.add(table)
    else this.#vacuumed = undefined
  }

  async #close(id: number): Promise<void> {
    await this.#settle()
    await this.#session.close()
    this.#report({ answers: [{ id, result: { columns: [], rows: [] } }] })
    process.exit(0)
  }

  #report(report: Report): void {
    this.#port.postMessage(report)
  }
}

function lose(port: MessagePort, error: unknown): void {
  const report: Report = { lost: error instanceof Error ? error.message : String(error) }
  port.postMessage(report)
  process.exit(1)
}

async function start(port: MessagePort, { task, cluster }: WorkerTask): Promise<void> {
  if (task === 'create') return createCluster(cluster)
  const storage = cluster === 'memory' ? cluster : new DurableNodeFS(cluster)
  const session = await EmbeddedSession.open(storage, (channel) => {
    const report: Report = { notified: [channel] }
    port.postMessage(report)
  })
  new Desk(port, session)
  const report: Report = { ready: true }
  port.postMessage(report)
}

if (parentPort) {
  const port = parentPort
  start(port, workerData).catch((error: unknown) => lose(port, error))
}
