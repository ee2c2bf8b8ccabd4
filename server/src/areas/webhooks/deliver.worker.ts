import type { Services, WorkerContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/db.ts'
import { until } from '../../platform/work/sleep-until.ts'
import type { Source } from '../../platform/work/worker.ts'
import { cancelUnlessActive } from './delivery/delivery.ts'
import { createOpener, type Opener } from './endpoint/endpoint-secret.ts'
import { attempt, unsent } from './sending/attempt.ts'
import { type Allowance, type Claimed, horizonOf, isClaimed, type Moment } from './sending/claim.ts'
import { Places } from './sending/concurrency.ts'
import { Recorder } from './sending/outcome-writer.ts'
import { type Waiting, waitsForSends } from './sending/ready-endpoints.ts'
import { Retries } from './sending/retry-timer.ts'
import { Queue } from './sending/send-queue.ts'

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
  readonly #queue: Queue
  readonly #recorder: Recorder
  readonly #openSecret: Opener
  /** Sends under way with the time that each began, the oldest first. */
  readonly #sending = new Map<Promise<void>, number>()
  readonly #places = new Places(MAX_IN_FLIGHT)
  readonly #retries: Retries
  /** Whether something waits that the end of a send may let go. */
  #held = false
  /** Whether a send has been answered or recorded since the turn began. */
  #freed = false
  /** How long a claim is expected to take: as long as the last, or half of what was expected of that. */
  #lead = 0
  #ended = 0
  #again: (inMs: number) => void = () => {}

  constructor({ reads, db, services }: DeliveryContext) {
    this.#reads = reads
    this.#db = db
    this.#services = services
    this.#queue = new Queue(db, services.clock)
    this.#retries = new Retries(this.#queue, services.clock, (inMs) => this.#again(inMs))
    this.#recorder = new Recorder(db, services, () => this.#lively())
    this.#openSecret = createOpener(services.secrets)
  }

  async work(again: (inMs: number) => void): Promise<number> {
    this.#again = again
    this.#freed = false
    const { areDue } = this.#retries
    const promoting = this.#retries.promote(this.#sending.size > 0)
    // What becomes ready is not to be claimed before the queue goes back to the first of it.
    if (areDue) await promoting.catch(() => {})
    const [promoted, claimed] = await Promise.all([promoting, this.#claimInTurn()])
    return promoted + claimed
  }

  /** Claims from where the last turn ended to the end of the line, and then once along the whole of it. */
  async #claimInTurn(): Promise<number> {
    this.#held = this.#places.free <= 0
    if (this.#held) return 0
    let waiting = 0
    const line = this.#queue.line()
    for (let rounds = line.isAtStart ? 1 : 2; rounds > 0; ) {
      const page = await line.next()
      await this.#cancelInactive(page)
      const claimed = await this.#claimOf(page)
      if (claimed > 0) return claimed
      waiting += page.filter((endpoint) => waitsForSends(endpoint, this.#services.clock.now())).length
      if (line.isAtStart) rounds--
    }
    this.#held = waiting > 0
    if (this.#held && this.#freed) this.#again(0)
    if (!line.isWhole) this.#again(this.#queue.wholeDueIn)
    return 0
  }

  async settle(): Promise<number> {
    // What has ended meanwhile is not to wait for one that hangs.
    if (this.#ended === 0 && this.#sending.size > 0) await Promise.race(this.#sending.keys())
    const ended = this.#ended
    this.#ended = 0
    return ended || Number(this.#queue.lookAlong())
  }

  /** How many sends are under way that may end soon: one that hangs, or waits for its slot, brings nothing to gather. */
  #lively(): number {
    const since = performance.now() - HANGING_MS
    let count = this.#sending.size
    for (const begun of this.#sending.values()) {
      if (begun >= since) break
      count--
    }
    return count
  }

  /** Those queued by transactions that did not yet see the endpoint disabled or deleted. */
  async #cancelInactive(waiting: Waiting[]): Promise<void> {
    for (const { active, apiKey, endpointId } of waiting) {
      if (!active) await cancelUnlessActive(this.#db, { apiKey, workspaceId: '' }, endpointId)
    }
  }

  async #claimOf(waiting: Waiting[]): Promise<number> {
    const moment = { now: this.#services.clock.now(), lead: this.#lead }
    const allowances = this.#allow(waiting, moment)
    // The gated ones first: their slots are counted from the moment.
    const claimed = (await this.#claim(allowances, true, moment)) + (await this.#claim(allowances, false, moment))
    if (claimed < allowances.length) this.#again(CONTENDED_MS)
    return claimed
  }

  /** Starts what it claims before anything else can fail. */
  async #claim(allowances: Allowance[], gated: boolean, moment: Moment): Promise<number> {
    const alike = allowances.filter((allowance) => allowance.gated === gated)
    if (alike.length === 0) return 0
    const start = performance.now()
    const claimed = await this.#queue.claim(alike, gated, moment)
    this.#lead = Math.min(MAX_LEAD_MS, Math.max(performance.now() - start, this.#lead / 2))
    for (const delivery of claimed) this.#start(delivery)
    return claimed.length
  }

  /** Shares the free places out among the endpoints that may be sent to now. */
  #allow(waiting: Waiting[], moment: Moment): Allowance[] {
    const open = waiting.filter(({ active, limited, nextSendAt }) => {
      const wait = nextSendAt - (limited ? horizonOf(moment) : moment.now)
      if (active && wait > 0) this.#again(Math.ceil(wait))
      return active && wait <= 0
    })
    const quotas = this.#places.quotas(open, BATCH)
    return open
      .map(({ apiKey, endpointId, from, gated }, i) => ({ apiKey, endpointId, from, gated, count: quotas[i] ?? 0 }))
      .filter(({ count }) => count > 0)
  }

  #start(delivery: Claimed): void {
    this.#places.take(delivery)
    const sent = this.#deliver(delivery).finally(() => {
      this.#sending.delete(sent)
      this.#places.giveBack()
      this.#ended++
      this.#free()
    })
    this.#sending.set(sent, performance.now())
  }

  /** There is room for another send. */
  #free(): void {
    this.#freed = true
    if (this.#held) this.#again(0)
  }

  async #deliver(delivery: Claimed): Promise<void> {
    const outcome = (await this.#isWanted(delivery))
      ? await attempt(delivery, this.#services, this.#openSecret)
      : unsent(delivery, this.#services.clock.now())
    this.#places.answered(delivery)
    this.#free()
    if (outcome.sent) this.#places.note(delivery, outcome.status === 'succeeded')
    await this.#recorder.record(outcome)
    if (outcome.status === 'scheduled') this.#retries.expect(outcome.dueAt)
    if (!outcome.sent) this.#again(0)
  }

  /** Looks again before a slot that is far ahead: the endpoint may be disabled or deleted by then. */
  async #isWanted(delivery: Claimed): Promise<boolean> {
    const { clock, log } = this.#services
    const { slot } = delivery
    if (slot === null || slot - clock.now() <= LOOK_AGAIN_MS) return true
    await until(slot - LOOK_AGAIN_MS, clock)
    return isClaimed(this.#reads, delivery).catch((error: unknown) => {
      log.error({ err: error }, 'a delivery that waited for its slot could not be looked at again')
      return false
    })
  }
}
