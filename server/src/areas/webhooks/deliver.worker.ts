import type { Services, WorkerContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/db.ts'
import { sleepUntil } from '../../platform/work/sleep-until.ts'
import type { Source } from '../../platform/work/worker.ts'
import { cancelUnlessActive } from './delivery/delivery.ts'
import { createOpener, type Opener } from './endpoint/endpoint-secret.ts'
import { attempt, unsent } from './sending/attempt.ts'
import { type Allowance, type Claimed, type ClaimTime, isClaimed, latestSlot } from './sending/claim.ts'
import { EndpointConcurrency } from './sending/concurrency.ts'
import { OutcomeWriter } from './sending/outcome-writer.ts'
import { type ReadyEndpoint, waitsForSends } from './sending/ready-endpoints.ts'
import { RetryTimer } from './sending/retry-timer.ts'
import { SendQueue } from './sending/send-queue.ts'

const BATCH = 256
const MAX_IN_FLIGHT = 1024
// A send that takes longer is no sign of how much comes in.
const HANGING_MS = 1_000
// Another process holds the endpoint's row for the moment of its claim.
const CONTENDED_MS = 20
// A delivery that waits longer for its slot is looked at again so long before it.
const LOOK_AGAIN_MS = 1_000

// Slots are not taken further ahead for however slow a database.
const MAX_LEAD_MS = 10_000

type DeliveryContext = Omit<WorkerContext, 'mailer'>

/** Sends what is queued for endpoints, in turns between them; each send is recorded before its place is free again. */
export const webhookDeliveries = (context: DeliveryContext): Source => new Deliveries(context)

class Deliveries implements Source {
  readonly name = 'webhook deliveries'
  readonly #reads: Db
  readonly #db: Db
  readonly #services: Services
  readonly #queue: SendQueue
  readonly #outcomes: OutcomeWriter
  readonly #openSecret: Opener
  /** Sends under way with the time that each began, the oldest first. */
  readonly #sending = new Map<Promise<void>, number>()
  readonly #concurrency = new EndpointConcurrency(MAX_IN_FLIGHT)
  readonly #retryTimer: RetryTimer
  /** Whether something waits that the end of a send may let go. */
  #isBlocked = false
  /** Whether a send has been answered or recorded since the turn began. */
  #freed = false
  /** How long a claim is expected to take: as long as the last, or half of what was expected of that. */
  #claimLatencyMs = 0
  #ended = 0
  #schedule: (inMs: number) => void = () => {}

  constructor({ reads, db, services }: DeliveryContext) {
    this.#reads = reads
    this.#db = db
    this.#services = services
    this.#queue = new SendQueue(db, services.clock)
    this.#retryTimer = new RetryTimer(this.#queue, services.clock, (inMs) => this.#schedule(inMs))
    this.#outcomes = new OutcomeWriter(db, services, () => this.#activeSends())
    this.#openSecret = createOpener(services.secrets)
  }

  async work(again: (inMs: number) => void): Promise<number> {
    this.#schedule = again
    this.#freed = false
    const { areDue } = this.#retryTimer
    const promoting = this.#retryTimer.promote(this.#sending.size > 0)
    // What becomes ready is not to be claimed before the queue goes back to the first of it.
    if (areDue) await promoting.catch(() => {})
    const [promoted, claimed] = await Promise.all([promoting, this.#claimInTurn()])
    return promoted + claimed
  }

  /** Claims from where the last turn ended to the end of the line, and then once along the whole of it. */
  async #claimInTurn(): Promise<number> {
    this.#isBlocked = this.#concurrency.free <= 0
    if (this.#isBlocked) return 0
    let waiting = 0
    const line = this.#queue.nextScan()
    for (let rounds = line.isAtStart ? 1 : 2; rounds > 0; ) {
      const page = await line.next()
      await this.#cancelInactive(page)
      const claimed = await this.#claimOf(page)
      if (claimed > 0) return claimed
      waiting += page.filter((endpoint) => waitsForSends(endpoint, this.#services.clock.now())).length
      if (line.isAtStart) rounds--
    }
    this.#isBlocked = waiting > 0
    if (this.#isBlocked && this.#freed) this.#schedule(0)
    if (!line.isFull) this.#schedule(this.#queue.fullScanDueIn)
    return 0
  }

  async settle(): Promise<number> {
    // What has ended meanwhile is not to wait for one that hangs.
    if (this.#ended === 0 && this.#sending.size > 0) await Promise.race(this.#sending.keys())
    const ended = this.#ended
    this.#ended = 0
    return ended || Number(this.#queue.forceFullScan())
  }

  /** How many sends are under way that may end soon: one that hangs, or waits for its slot, brings nothing to gather. */
  #activeSends(): number {
    const since = performance.now() - HANGING_MS
    let count = this.#sending.size
    for (const begun of this.#sending.values()) {
      if (begun >= since) break
      count--
    }
    return count
  }

  /** Those queued by transactions that did not yet see the endpoint disabled or deleted. */
  async #cancelInactive(waiting: ReadyEndpoint[]): Promise<void> {
    for (const { active, apiKey, endpointId } of waiting) {
      if (!active) await cancelUnlessActive(this.#db, { apiKey, workspaceId: '' }, endpointId)
    }
  }

  async #claimOf(waiting: ReadyEndpoint[]): Promise<number> {
    const moment = { now: this.#services.clock.now(), expectedLatencyMs: this.#claimLatencyMs }
    const allowances = this.#allow(waiting, moment)
    // The paced ones first: their slots are counted from the moment.
    const claimed = (await this.#claim(allowances, true, moment)) + (await this.#claim(allowances, false, moment))
    if (claimed < allowances.length) this.#schedule(CONTENDED_MS)
    return claimed
  }

  /** Starts what it claims before anything else can fail. */
  async #claim(allowances: Allowance[], paced: boolean, moment: ClaimTime): Promise<number> {
    const alike = allowances.filter((allowance) => allowance.paced === paced)
    if (alike.length === 0) return 0
    const start = performance.now()
    const claimed = await this.#queue.claim(alike, paced, moment)
    this.#claimLatencyMs = Math.min(MAX_LEAD_MS, Math.max(performance.now() - start, this.#claimLatencyMs / 2))
    for (const delivery of claimed) this.#start(delivery)
    return claimed.length
  }

  /** Shares the free places out among the endpoints that may be sent to now. */
  #allow(waiting: ReadyEndpoint[], moment: ClaimTime): Allowance[] {
    const open = waiting.filter(({ active, rateLimited, nextSendAt }) => {
      const wait = nextSendAt - (rateLimited ? latestSlot(moment) : moment.now)
      if (active && wait > 0) this.#schedule(Math.ceil(wait))
      return active && wait <= 0
    })
    const quotas = this.#concurrency.quotas(open, BATCH)
    return open
      .map(({ apiKey, endpointId, from, paced }, i) => ({ apiKey, endpointId, from, paced, count: quotas[i] ?? 0 }))
      .filter(({ count }) => count > 0)
  }

  #start(delivery: Claimed): void {
    this.#concurrency.acquire(delivery)
    const sent = this.#deliver(delivery).finally(() => {
      this.#sending.delete(sent)
      this.#concurrency.release()
      this.#ended++
      this.#free()
    })
    this.#sending.set(sent, performance.now())
  }

  /** There is room for another send. */
  #free(): void {
    this.#freed = true
    if (this.#isBlocked) this.#schedule(0)
  }

  async #deliver(delivery: Claimed): Promise<void> {
    const outcome = (await this.#isWanted(delivery))
      ? await attempt(delivery, this.#services, this.#openSecret)
      : unsent(delivery, this.#services.clock.now())
    this.#concurrency.releaseEndpoint(delivery)
    this.#free()
    if (outcome.sent) this.#concurrency.recordOutcome(delivery, outcome.status === 'succeeded')
    await this.#outcomes.record(outcome)
    if (outcome.status === 'scheduled') this.#retryTimer.expect(outcome.dueAt)
    if (!outcome.sent) this.#schedule(0)
  }

  /** Looks again before a slot that is far ahead: the endpoint may be disabled or deleted by then. */
  async #isWanted(delivery: Claimed): Promise<boolean> {
    const { clock, log } = this.#services
    const { slot } = delivery
    if (slot === null || slot - clock.now() <= LOOK_AGAIN_MS) return true
    await sleepUntil(slot - LOOK_AGAIN_MS, clock)
    return isClaimed(this.#reads, delivery).catch((error: unknown) => {
      log.error({ err: error }, 'a delivery that waited for its slot could not be looked at again')
      return false
    })
  }
}
