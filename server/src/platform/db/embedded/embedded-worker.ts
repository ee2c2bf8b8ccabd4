import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { checkRoom, copyCluster } from './copy-cluster.ts'
import { DurableNodeFS } from './filesystem.ts'
import { Maintenance } from './maintenance.ts'
import { layCluster } from './prepared-cluster.ts'
import { type Answer, type Order, Refused, type Report, type Result, type WorkerTask } from './protocol.ts'
import { EmbeddedSession } from './session.ts'

type RunOrder = Extract<Order, { do: 'run' }>

/** How long orders may run on while a flush has ended, or the clock has ticked, without notice. */
const TURN_MS = 1
/** How long an answer inside a transaction may wait for others to share its message. */
const SHARE_MESSAGE_MS = 3
/**
 * How many statements of a transaction run in one exchange with Postgres, so that timers and others have their turns.
 */
const MOST_TOGETHER = 8
/** How often maintenance is looked after. */
const TICK_MS = 1_000
/**
 * How much of a function of PostgreSQL must have run before V8 optimizes it, in bytes. That is V8's own value since
 * Node 22; at an eighth of it, Node 20 optimizes during the start what the start alone needs.
 */
const TIERING_BUDGET = 13_000_000

/** Carries out orders one after the other; sends an answer only after its changes are on the disk. */
class Desk {
  readonly #port: MessagePort
  readonly #session: EmbeddedSession
  readonly #cluster: string
  readonly #maintenance: Maintenance
  readonly #orders: Order[] = []
  /** The answers inside the open transaction that are not sent yet, and since when the oldest waits. */
  #inside: Answer[] = []
  #insideSince = 0
  /** The answers that wait for the next flush. */
  #answers: Answer[] = []
  /** The flush under way, until its answers are sent. */
  #flush: Promise<void> | undefined
  /** When the event loop had its last turn. */
  #turnedAt = 0
  #working = false
  /** Set when the clock has ticked, until maintenance has had its step. */
  #tick = false

  constructor(port: MessagePort, session: EmbeddedSession, cluster: string) {
    this.#port = port
    this.#session = session
    this.#cluster = cluster
    this.#maintenance = new Maintenance(session, (warning) => this.#report({ warning }))
    port.on('message', (orders: Order[]) => {
      this.#orders.push(...orders)
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
    this.#turnedAt = performance.now()
    for (let order = this.#next(); order; order = this.#next()) {
      await this.#carryOut(order)
      const now = performance.now()
      if (this.#inside.length > 0 && now - this.#insideSince >= SHARE_MESSAGE_MS) this.#answerInside()
      if (now - this.#turnedAt >= TURN_MS) {
        await setImmediate()
        this.#turnedAt = performance.now()
      }
      if (this.#maintenance.isLogDue(now)) await this.#maintenance.boundLog()
      if (this.#tick) await this.#maintain()
    }
    this.#answerInside()
    if (this.#tick) await this.#maintain()
  }

  async #maintain(): Promise<void> {
    this.#tick = false
    await this.#maintenance.step()
  }

  #next(): Order | undefined {
    if (this.#orders.length === 0) this.#orders.push(...(receiveMessageOnPort(this.#port)?.message ?? []))
    return this.#orders.shift()
  }

  async #carryOut(order: Order): Promise<void> {
    if (order.do === 'begin') return this.#session.begin()
    if (order.do === 'close') return this.#close(order.id)
    if (order.do === 'run' && this.#session.inTransaction && this.#session.isPrepared(order.text)) {
      return this.#runTogether(order)
    }
    const outcome = await this.#execute(order).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error
      return error
    })
    this.#answer(order.id, outcome)
  }

  /** Runs a statement together with those of its transaction that wait behind it. */
  async #runTogether(first: RunOrder): Promise<void> {
    const orders = [first]
    for (let next = this.#orders[0]; next?.do === 'run' && orders.length < MOST_TOGETHER; next = this.#orders[0]) {
      if (!this.#session.isPrepared(next.text)) break
      orders.push(next)
      this.#orders.shift()
    }
    const outcomes = await this.#session.runTogether(orders)
    for (const [index, outcome] of outcomes.entries()) this.#answer(orders[index]?.id ?? -1, outcome)
  }

  #answer(id: number, outcome: Result | Refused): void {
    const answer = outcome instanceof Refused ? { id, refusal: outcome.refusal } : { id, result: outcome }
    if (this.#session.inTransaction) {
      if (this.#inside.push(answer) === 1) this.#insideSince = performance.now()
      return
    }
    // Whoever still waits inside the transaction that has ended waits for its commit too.
    this.#answers.push(...this.#inside, answer)
    this.#inside = []
    this.#settle()
    // Where other orders are at hand, nobody holds any back; a message costs.
    if (this.#flush !== undefined && this.#orders.length === 0) this.#report({ ran: id })
  }

  /** Sends the answers inside the open transaction. They need no flush. */
  #answerInside(): void {
    if (this.#inside.length === 0) return
    this.#report({ answers: this.#inside })
    this.#inside = []
  }

  async #execute(order: Exclude<Order, { do: 'begin' | 'close' }>): Promise<Result> {
    switch (order.do) {
      case 'run':
        return this.#session.run(order.text, order.values)
      case 'script':
        return this.#session.script(order.text)
      case 'listen':
        return this.#session.run(order.text, [])
      case 'copy':
        // Before the checkpoint, which a full disk would not survive.
        checkRoom(this.#cluster, order.to)
        // Nothing is written before it is done, for this thread is all that writes.
        await this.#session.checkpoint()
        copyCluster(this.#cluster, order.to)
        return { columns: [], rows: [] }
    }
    await this.#session[order.do]()
    return { columns: [], rows: [] }
  }

  /**
   * Sends the answers that wait once all before them is durable. Meanwhile other orders are carried out; their answers
   * share the next flush.
   */
  #settle(): void {
    if (this.#flush || this.#answers.length === 0) return
    const answers = this.#answers
    this.#answers = []
    if (this.#session.isDurable) this.#report({ answers })
    else this.#flush = this.#reportDurable(answers).catch((error: unknown) => lose(this.#port, error))
  }

  async #reportDurable(answers: Answer[]): Promise<void> {
    await this.#session.flush()
    this.#report({ answers })
    this.#flush = undefined
    this.#settle()
  }

  async #close(id: number): Promise<void> {
    while (this.#flush !== undefined) await this.#flush
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

/** PGlite decodes each value by itself; a decoder that is not told otherwise drops U+FEFF from its beginning. */
class WholeTextDecoder extends TextDecoder {
  constructor(...[encoding, options]: ConstructorParameters<typeof TextDecoder>) {
    super(encoding, { ...options, ignoreBOM: true })
  }
}

async function start(port: MessagePort, { task, cluster, prepared }: WorkerTask): Promise<void> {
  if (task === 'create') return layCluster(cluster, prepared)
  globalThis.TextDecoder = WholeTextDecoder
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`)
  // With nothing to wait for, the thread would rest until V8 has optimized all that it is about to.
  port.ref()
  const storage = cluster === 'memory' ? cluster : new DurableNodeFS(cluster)
  const notify = (channel: string) => {
    const report: Report = { notified: [channel] }
    port.postMessage(report)
  }
  const session = await EmbeddedSession.open(storage, notify, prepared)
  new Desk(port, session, cluster)
  const report: Report = { ready: true }
  port.postMessage(report)
}

if (parentPort) {
  const port = parentPort
  start(port, workerData).catch((error: unknown) => lose(port, error))
}
