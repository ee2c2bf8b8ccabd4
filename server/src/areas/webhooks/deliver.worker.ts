import type { Services, WorkerContext } from '../../platform/context.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import { deliveriesWithin } from '../../platform/settings/open-files.ts'
import { type Backlog, measureBacklog } from '../../platform/work/backlog.ts'
import { InProgress } from '../../platform/work/in-progress.ts'
import { sleepUntil } from '../../platform/work/sleep-until.ts'
import type { Source } from '../../platform/work/worker.ts'
import { cancelUnlessActive } from './delivery/delivery.ts'
import { createOpener, type Opener } from './endpoint/endpoint-secret.ts'
import { attempt, unsent } from './sending/attempt.ts'
import { type Claimed, isClaimed } from './sending/claim.ts'
import { Claimer } from './sending/claimer.ts'
import { EndpointConcurrency } from './sending/concurrency.ts'
import type { Outcome } from './sending/outcome.ts'
import { OutcomeWriter } from './sending/outcome-writer.ts'
import {
  deliveryIsDue,
  HEADS,
  READY_DELIVERIES,
  RETRIES,
  type ReadyEndpoint,
  waitsForSends,
} from './sending/ready-endpoints.ts'
import { RetryTimer } from './sending/retry-timer.ts'
import { SendQueue } from './sending/send-queue.ts'

/*
 * One turn of the loop. The worker calls `work()` again at once if it claimed or promoted something.
 *
 *   work() ──┬──> RetryTimer.promote       deliveries whose retry is due become ready
 *            │
 *            └──> SendQueue.nextScan       incremental, or full when that is due
 *                      │
 *                      v
 *              ┌─> scan.next               a page of endpoints with ready deliveries
 *              │       │
 *        none  │       v
 *     claimed  └── Claimer.claim           within permits, order and rate limits
 *                      │
 *                      v  each, not awaited by work()
 *                   attempt                the HTTP request, in its slot if rate-limited
 *                      │
 *                      v
 *                 OutcomeWriter.record     settled; or scheduled, and RetryTimer.expect sets the timer
 *                      │
 *                      v
 *                 the permit is free       schedules the next turn, if this one was blocked
 */

// A send that takes longer does not count as activity.
const HANGING_MS = 1_000
// A delivery with a later slot is checked again this long before the slot.
const RECHECK_MS = 1_000

type DeliveryContext = Omit<WorkerContext, 'mailer'>

/** Sends queued deliveries, sharing the work fairly among endpoints. A send keeps its permit until it is recorded. */
export const webhookDeliveries = (context: DeliveryContext): Source => new Deliveries(context)

class Deliveries implements Source {
  readonly name = 'webhook deliveries'
  readonly isUrgent = true
  readonly #reads: Db
  readonly #db: Db
  readonly #services: Services
  readonly #queue: SendQueue
  readonly #claimer: Claimer
  readonly #outcomes: OutcomeWriter
  readonly #openSecret: Opener
  /** Sends in flight with their start times, oldest first. */
  readonly #sending = new InProgress<number>()
  readonly #concurrency = new EndpointConcurrency(deliveriesWithin())
  readonly #retryTimer: RetryTimer
  /** Whether deliveries wait that the end of a send may unblock. */
  #isBlocked = false
  /** Whether a send has ended, or its outcome was recorded, since the turn began. */
  #freed = false
  #schedule: (inMs: number) => void = () => {}

  constructor({ reads, db, services }: DeliveryContext) {
    const { clock } = services
    const schedule = (inMs: number) => this.#schedule(inMs)
    this.#reads = reads
    this.#db = db
    this.#services = services
    this.#queue = new SendQueue(db, clock)
    this.#claimer = new Claimer({
      queue: this.#queue,
      concurrency: this.#concurrency,
      clock,
      start: (delivery) => this.#start(delivery),
      schedule,
    })
    this.#retryTimer = new RetryTimer(this.#queue, clock, schedule)
    this.#outcomes = new OutcomeWriter(db, services, () => this.#activeSends())
    this.#openSecret = createOpener(services.secrets)
  }

  async work(schedule: (inMs: number) => void): Promise<number> {
    this.#schedule = schedule
    this.#freed = false
    const { isDue } = this.#retryTimer
    const promote = () => this.#retryTimer.promote(this.#sending.size > 0)
    // The scan must rewind to promoted deliveries before it claims later ones. Otherwise nothing is to delay new ones.
    if (!isDue) return (await this.#claimNext()) + (await promote())
    const [promoted] = await Promise.allSettled([promote()])
    const claimed = await this.#claimNext()
    if (promoted.status === 'rejected') throw promoted.reason
    return promoted.value + claimed
  }

  /**
   * Scans from where the last turn stopped to the end, then once from the start, until something is claimed. Returns
   * how much was claimed, or 0 if that was all: what is committed later sends a notification of its own.
   */
  async #claimNext(): Promise<number> {
    this.#isBlocked = this.#concurrency.free <= 0
    if (this.#isBlocked) return 0
    let blocked = 0
    const scan = this.#queue.nextScan()
    for (let rounds = scan.isAtStart ? 1 : 2; rounds > 0; ) {
      const startsOver = scan.isAtStart
      const page = await scan.next()
      await this.#cancelInactive(page)
      const { claimed, isAll } = await this.#claimer.claim(page)
      if (claimed > 0 && isAll && startsOver && scan.isAtStart) break
      if (claimed > 0) return claimed
      blocked += page.filter((endpoint) => waitsForSends(endpoint, this.#services.clock.now())).length
      if (scan.isAtStart) rounds--
    }
    this.#isBlocked = blocked > 0
    if (this.#isBlocked && this.#freed) this.#schedule(0)
    if (!scan.isFull) this.#schedule(this.#queue.fullScanDueIn)
    return 0
  }

  due(): Sql {
    return deliveryIsDue(this.#services.clock.now())
  }

  async backlog(db: Db): Promise<Backlog[]> {
    return Promise.all([
      measureBacklog(db, 'deliveries', READY_DELIVERIES, HEADS),
      measureBacklog(db, 'delivery_retries', RETRIES),
    ])
  }

  async settle(): Promise<number> {
    return (await this.#sending.settle()) || Number(this.#queue.forceFullScan())
  }

  /** Counts the sends that may end soon, so that their outcomes share a batch: not those that hang or await a slot. */
  #activeSends(): number {
    const since = performance.now() - HANGING_MS
    let count = this.#sending.size
    for (const startedAt of this.#sending.items()) {
      if (startedAt >= since) break
      count--
    }
    return count
  }

  /** Cancels deliveries whose transaction did not yet see that the endpoint was disabled or deleted. */
  async #cancelInactive(page: ReadyEndpoint[]): Promise<void> {
    for (const { active, apiKey, endpointId } of page) {
      if (!active) await cancelUnlessActive(this.#db, { apiKey }, endpointId)
    }
  }

  #start(delivery: Claimed): void {
    this.#concurrency.acquire(delivery)
    this.#sending.add(performance.now(), this.#deliver(delivery), () => {
      this.#concurrency.release()
      this.#unblock()
    })
  }

  /** Another send may start. */
  #unblock(): void {
    this.#freed = true
    if (this.#isBlocked) this.#schedule(0)
  }

  async #deliver(delivery: Claimed): Promise<void> {
    const outcome = (await this.#isStillClaimed(delivery))
      ? await this.#attempt(delivery)
      : unsent(delivery, this.#services.clock.now())
    this.#concurrency.releaseEndpoint(delivery)
    this.#unblock()
    if (outcome.sent) this.#concurrency.recordOutcome(delivery, outcome.status === 'succeeded')
    await this.#outcomes.record(outcome)
    if (outcome.status === 'scheduled') this.#retryTimer.expect(outcome.dueAt)
    if (!outcome.sent) this.#schedule(0)
  }

  /** Sends a delivery, in a span of the trace that its event belongs to. */
  #attempt(delivery: Claimed): Promise<Outcome> {
    const { eventId, endpointId, traceparent: parent } = delivery
    const attributes = {
      'messaging.operation.name': 'send',
      'messaging.message.id': eventId,
      'precedent.endpoint_id': endpointId,
      'precedent.attempt': delivery.attempt,
    }
    const about = { kind: 'consumer', attributes, parent } as const
    return this.#services.tracing.span(`deliver ${delivery.eventType}`, about, async (span) => {
      const outcome = await attempt(delivery, this.#services, this.#openSecret)
      span.set({ 'precedent.outcome': outcome.status })
      if (outcome.sent && outcome.status !== 'succeeded') span.fail(outcome.error ?? String(outcome.httpStatus))
      return outcome
    })
  }

  /** Rechecks a claim shortly before a slot that is far ahead: the endpoint may have been disabled or deleted. */
  async #isStillClaimed(delivery: Claimed): Promise<boolean> {
    const { clock, log } = this.#services
    const { slot } = delivery
    if (slot === null || slot - clock.now() <= RECHECK_MS) return true
    await sleepUntil(slot - RECHECK_MS, clock)
    return isClaimed(this.#reads, delivery).catch((error: unknown) => {
      log.error({ err: error }, 'a delivery that waited for its slot could not be looked at again')
      return false
    })
  }
}
