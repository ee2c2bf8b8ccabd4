import type { Services } from '../../platform/context.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Source } from '../../platform/worker.ts'
import { attempt } from './attempt.ts'
import { type Allowance, type Claimed, claimReady, horizonOf, type Moment } from './claim.ts'
import { cancelDeliveries } from './delivery.ts'
import { type Outcome, recordOutcomes } from './outcome.ts'
import { isPartial, promoteDue, visitWaiting, type Waiting } from './waiting.ts'

const BATCH = 200
const MAX_IN_FLIGHT = 1024
// Of the free places one endpoint takes a part only, so that however many hang, some are left for the others.
const PART_PER_ENDPOINT = 1 / 4
const MAX_PER_ENDPOINT = 128
// An endpoint that fails may be one that hangs: it gets few of the places that others need.
const MAX_PER_FAILING_ENDPOINT = 4
// Another process holds the endpoint's row for the moment of its claim.
const CONTENDED_MS = 20

// Slots are not taken further ahead for however slow a database.
const MAX_LEAD_MS = 10_000

const START = { apiKey: '', endpointId: '' }

interface Options {
  /** For reading alone. */
  reads: Db
  /** For statements that are transactions of their own. */
  db: Db
  services: Services
}

/** Sends what is queued for endpoints, in turns between them; each send is recorded before its place is free again. */
export const webhookDeliveries = (options: Options): Source => new Deliveries(options)

class Deliveries implements Source {
  readonly name = 'webhook deliveries'
  readonly #reads: Db
  readonly #db: Db
  readonly #services: Services
  readonly #recorder: Recorder
  readonly #sending = new Set<Promise<void>>()
  readonly #perEndpoint = new Map<string, number>()
  #position = START
  /** How long a claim is expected to take: as long as the last, or half of what was expected of that. */
  #lead = 0
  #ended = 0
  #again: (inMs: number) => void = () => {}

  constructor({ reads, db, services }: Options) {
    this.#reads = reads
    this.#db = db
    this.#services = services
    this.#recorder = new Recorder(db, services)
  }

  async work(again: (inMs: number) => void): Promise<number> {
    this.#again = again
    const free = Math.min(BATCH, MAX_IN_FLIGHT - this.#sending.size)
    if (free <= 0) return 0
    const now = this.#services.clock.now()
    const [promoted, claimed] = await Promise.all([promoteDue(this.#db, now), this.#claimInTurn(free)])
    return promoted + claimed
  }

  /** Claims from where the last turn ended to the end of the line, and then once along the whole of it. */
  async #claimInTurn(free: number): Promise<number> {
    for (let rounds = this.#position === START ? 1 : 2; rounds > 0; ) {
      const claimed = await this.#workPage(free)
      if (claimed > 0) return claimed
      if (this.#position === START) rounds--
    }
    return 0
  }

  async settle(): Promise<number> {
    if (this.#sending.size > 0) await Promise.race(this.#sending)
    const ended = this.#ended
    this.#ended = 0
    return ended
  }

  async #workPage(free: number): Promise<number> {
    const waiting = await visitWaiting(this.#reads, this.#position)
    this.#position = (isPartial(waiting) && waiting.at(-1)) || START
    for (const { active, apiKey, endpointId } of waiting) {
      // Queued by a transaction that did not yet see the endpoint disabled or deleted.
      if (!active) await cancelDeliveries(this.#db, { apiKey, workspaceId: '' }, endpointId)
    }
    const moment = { now: this.#services.clock.now(), lead: this.#lead }
    const allowances = this.#allow(waiting, free, moment)
    const claimed = allowances.length > 0 ? await this.#claim(allowances, moment) : []
    for (const delivery of claimed) this.#start(delivery)
    if (claimed.length < allowances.length) this.#again(CONTENDED_MS)
    return claimed.length
  }

  async #claim(allowances: Allowance[], moment: Moment): Promise<Claimed[]> {
    const start = performance.now()
    const claimed = await claimReady(this.#db, allowances, moment)
    this.#lead = Math.min(MAX_LEAD_MS, Math.max(performance.now() - start, this.#lead / 2))
    return claimed
  }

  /** Shares the free places out among the endpoints that may be sent to now. */
  #allow(waiting: Waiting[], free: number, moment: Moment): Allowance[] {
    const share = Math.ceil(free / waiting.length)
    const part = Math.ceil((MAX_IN_FLIGHT - this.#sending.size) * PART_PER_ENDPOINT)
    return waiting.flatMap(({ apiKey, endpointId, active, failing, limited, nextSendAt }) => {
      if (!active) return []
      const wait = nextSendAt - (limited ? horizonOf(moment) : moment.now)
      if (wait > 0) {
        this.#again(Math.ceil(wait))
        return []
      }
      const places = failing ? MAX_PER_FAILING_ENDPOINT : MAX_PER_ENDPOINT
      const count = Math.min(share, part, places - (this.#perEndpoint.get(keyOf({ apiKey, endpointId })) ?? 0))
      return count > 0 ? [{ apiKey, endpointId, count }] : []
    })
  }

  #start(delivery: Claimed): void {
    const key = keyOf(delivery)
    this.#perEndpoint.set(key, (this.#perEndpoint.get(key) ?? 0) + 1)
    const sent = this.#deliver(delivery).finally(() => {
      this.#sending.delete(sent)
      this.#ended++
      const left = (this.#perEndpoint.get(key) ?? 1) - 1
      if (left > 0) this.#perEndpoint.set(key, left)
      else this.#perEndpoint.delete(key)
      this.#again(0)
    })
    this.#sending.add(sent)
  }

  async #deliver(delivery: Claimed): Promise<void> {
    await this.#recorder.record(await attempt(delivery, this.#services))
  }
}

const keyOf = ({ apiKey, endpointId }: { apiKey: string; endpointId: string }) => `${apiKey} ${endpointId}`

/** Writes outcomes as they come: those that arrive while one batch is written are the next batch. */
class Recorder {
  readonly #db: Db
  readonly #clock: Services['clock']
  readonly #log: Log
  #batch: Outcome[] = []
  #turn: Promise<void> | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(db: Db, { clock, log }: Services) {
    this.#db = db
    this.#clock = clock
    this.#log = log
  }

  /** Answers when the outcome is durable; one that cannot be written is sent again when its lease ends. */
  record(outcome: Outcome): Promise<void> {
    this.#batch.push(outcome)
    if (!this.#turn) {
      this.#turn = this.#last.then(() => this.#write())
      this.#last = this.#turn
    }
    return this.#turn
  }

  async #write(): Promise<void> {
    const outcomes = this.#batch
    this.#batch = []
    this.#turn = undefined
    try {
      await recordOutcomes(this.#db, outcomes, this.#clock.now())
    } catch (error) {
      this.#log.error({ err: error, count: outcomes.length }, 'attempts of webhook deliveries could not be recorded')
    }
  }
}
