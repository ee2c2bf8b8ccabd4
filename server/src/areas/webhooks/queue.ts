import type { Clock } from '../../platform/context.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Allowance, type Claimed, claimReady, type Moment } from './claim.ts'
import { type Head, isPartial, PAGE, promoteDue, revisit, visitWaiting, type Waiting } from './waiting.ts'

/** Looking along all that waits takes this part of the time at most, unless to look at what is known takes as long. */
const PART_OF_TIME = 1 / 10
/** What was measured long ago counts for less. */
const DECAY = 0.9
/** However long a look along all has taken, the next is due by then: it may have been the machine that stood still. */
const LATEST_MS = 5_000
/** So long after the last that waited an endpoint is forgotten. */
const REMEMBERED_MS = 30_000

/** Endpoints with something to send, page by page, over and over. */
export interface Line {
  /** Whether all that waits is in it. */
  readonly isWhole: boolean
  /** True before the first page, and after the last. */
  readonly isAtStart: boolean
  next(): Promise<Waiting[]>
}

/**
 * What waits to be sent, as one process sees it. What has been sent stays in the way of who looks for the first that waits,
 * as long as a transaction is open that might still see it. So the process remembers how far each endpoint's deliveries
 * have been claimed, and looks from there on. Along all of them it looks when that is due: for endpoints that it does not
 * know, and for deliveries that were committed late, queued again, or given up by another process.
 */
export class Queue {
  readonly #db: Db
  readonly #clock: Clock
  readonly #known: KnownLine
  readonly #whole: WholeLine
  #wholeDueAt = Number.NEGATIVE_INFINITY
  /** How long the last page of what is known has taken. */
  #knownMs = 0
  /** Where to look again. */
  readonly #promoted: Head[] = []
  /** Whether the last line was the whole one. */
  #isWhole = true

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
    this.#known = new KnownLine((heads) =>
      timed(
        () => revisit(db, heads, clock.now()),
        (ms) => {
          this.#knownMs = ms
        },
      ),
    )
    this.#whole = new WholeLine(async (after) => {
      const waiting = await timed(
        () => visitWaiting(db, after, clock.now()),
        (ms) => this.#looked(ms),
      )
      this.#known.meet(waiting)
      return waiting
    })
  }

  #looked(ms: number): void {
    const wait = Math.max(0, ms - this.#knownMs) * (1 / PART_OF_TIME - 1)
    this.#wholeDueAt = performance.now() + Math.min(wait, LATEST_MS)
    this.#knownMs *= DECAY
  }

  /** In how many milliseconds the whole is to be looked along again; 0 when it is time. */
  get wholeDueIn(): number {
    return Math.max(0, this.#wholeDueAt - performance.now())
  }

  /** The whole when it is due, else what is known. */
  line(): Line {
    this.#known.goBack(this.#promoted.splice(0))
    const line = this.wholeDueIn > 0 ? this.#known : this.#whole
    this.#isWhole = line.isWhole
    return line
  }

  /** Makes the next line the whole one; false when the last one was. */
  lookAlong(): boolean {
    if (this.#isWhole) return false
    this.#wholeDueAt = Number.NEGATIVE_INFINITY
    this.#isWhole = true
    return true
  }

  /** Claims the oldest deliveries of endpoints, all of them gated or none. */
  async claim(allowances: Allowance[], gated: boolean, moment: Moment): Promise<Claimed[]> {
    const claimed = await claimReady(this.#db, allowances, gated, moment)
    if (!gated) this.#known.pass(claimed)
    return claimed
  }

  /** Makes ready what is to be tried again; answers how many that were, and in how many milliseconds the next is due. */
  async promote(): Promise<{ count: number; nextIn: number | null }> {
    const now = this.#clock.now()
    const { promoted, nextAt } = await promoteDue(this.#db, now)
    this.#promoted.push(...promoted)
    return { count: promoted.length, nextIn: nextAt === null ? null : nextAt - now }
  }
}

/** Tells how long something took, also when it failed. */
async function timed<Answer>(run: () => Promise<Answer>, tell: (ms: number) => void): Promise<Answer> {
  const start = performance.now()
  try {
    return await run()
  } finally {
    tell(performance.now() - start)
  }
}

const START = { apiKey: '', endpointId: '' }

class WholeLine implements Line {
  readonly isWhole = true
  readonly #visit: (after: typeof START) => Promise<Waiting[]>
  #position = START

  constructor(visit: (after: typeof START) => Promise<Waiting[]>) {
    this.#visit = visit
  }

  get isAtStart(): boolean {
    return this.#position === START
  }

  async next(): Promise<Waiting[]> {
    const waiting = await this.#visit(this.#position)
    this.#position = (isPartial(waiting) && waiting.at(-1)) || START
    return waiting
  }
}

class KnownLine implements Line {
  readonly isWhole = false
  readonly #revisit: (heads: Head[]) => Promise<Waiting[]>
  readonly #heads = new Map<string, Head & { waitedAt: number }>()
  /** What is left of the round. */
  #round: Head[] = []

  constructor(revisit: (heads: Head[]) => Promise<Waiting[]>) {
    this.#revisit = revisit
  }

  get isAtStart(): boolean {
    return this.#round.length === 0
  }

  async next(): Promise<Waiting[]> {
    if (this.isAtStart) this.#round = this.#remembered()
    if (this.isAtStart) return []
    const waiting = await this.#revisit(this.#round.splice(0, PAGE))
    this.meet(waiting)
    return waiting
  }

  #remembered(): Head[] {
    const since = performance.now() - REMEMBERED_MS
    for (const [key, { waitedAt }] of this.#heads) if (waitedAt < since) this.#heads.delete(key)
    return [...this.#heads.values()]
  }

  /** These have something to send from there on, and nothing before. */
  meet(waiting: Waiting[]): void {
    const waitedAt = performance.now()
    for (const { apiKey, endpointId, from, gated } of waiting) {
      // Order and rate limits give back what is not sent in time: their first is always looked for.
      this.#heads.set(keyOf({ apiKey, endpointId }), { apiKey, endpointId, from: gated ? 0 : from, waitedAt })
    }
  }

  /** These have been claimed, and all that waited before them. */
  pass(claimed: Claimed[]): void {
    for (const { apiKey, endpointId, seq } of claimed) {
      const head = this.#heads.get(keyOf({ apiKey, endpointId }))
      if (head) head.from = Math.max(head.from, seq + 1)
    }
  }

  /** These wait again. */
  goBack(promoted: Head[]): void {
    const waitedAt = performance.now()
    for (const { apiKey, endpointId, from } of promoted) {
      const key = keyOf({ apiKey, endpointId })
      const known = this.#heads.get(key)?.from ?? from
      this.#heads.set(key, { apiKey, endpointId, from: Math.min(known, from), waitedAt })
    }
  }
}

const keyOf = ({ apiKey, endpointId }: Omit<Head, 'from'>) => `${apiKey} ${endpointId}`
