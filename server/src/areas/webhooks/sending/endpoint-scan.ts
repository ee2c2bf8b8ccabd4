import type { Claimed } from './claim.ts'
import { hasMorePages, PAGE, type QueueHead, type ReadyEndpoint } from './ready-endpoints.ts'

/** So long after the last that waited an endpoint is forgotten. */
const REMEMBERED_MS = 30_000

/** Endpoints with something to send, page by page, over and over. */
export interface EndpointScan {
  /** Whether all that waits is in it. */
  readonly isFull: boolean
  /** True before the first page, and after the last. */
  readonly isAtStart: boolean
  next(): Promise<ReadyEndpoint[]>
}

/** Tells how long each look along a line has taken, and each that has failed. */
class Stopwatch {
  readonly #report: (ms: number) => void
  #ms = 0

  constructor(tell: (ms: number) => void) {
    this.#report = tell
  }

  /** `isLast`: after it the look is over. */
  async page(next: () => Promise<ReadyEndpoint[]>, isLast: () => boolean): Promise<ReadyEndpoint[]> {
    const start = performance.now()
    let failed = true
    try {
      const waiting = await next()
      failed = false
      return waiting
    } finally {
      this.#ms += performance.now() - start
      if (failed || isLast()) {
        this.#report(this.#ms)
        this.#ms = 0
      }
    }
  }
}

const START = { apiKey: '', endpointId: '' }

/** All that waits, in the order of the endpoints' keys. */
export class FullScan implements EndpointScan {
  readonly isFull = true
  readonly #visit: (after: typeof START) => Promise<ReadyEndpoint[]>
  readonly #watch: Stopwatch
  #position = START

  constructor(visit: (after: typeof START) => Promise<ReadyEndpoint[]>, tell: (ms: number) => void) {
    this.#visit = visit
    this.#watch = new Stopwatch(tell)
  }

  get isAtStart(): boolean {
    return this.#position === START
  }

  next(): Promise<ReadyEndpoint[]> {
    const page = async () => {
      const waiting = await this.#visit(this.#position)
      this.#position = (hasMorePages(waiting) && waiting.at(-1)) || START
      return waiting
    }
    return this.#watch.page(page, () => this.isAtStart)
  }
}

/** Endpoints that something waited for lately, each from where it has been claimed to. */
export class IncrementalScan implements EndpointScan {
  readonly isFull = false
  readonly #revisit: (heads: QueueHead[]) => Promise<ReadyEndpoint[]>
  readonly #watch: Stopwatch
  readonly #heads = new Map<string, QueueHead & { waitedAt: number }>()
  /** Which are left of the round. */
  #round: string[] = []

  constructor(revisit: (heads: QueueHead[]) => Promise<ReadyEndpoint[]>, tell: (ms: number) => void) {
    this.#revisit = revisit
    this.#watch = new Stopwatch(tell)
  }

  get isAtStart(): boolean {
    return this.#round.length === 0
  }

  async next(): Promise<ReadyEndpoint[]> {
    if (this.isAtStart) this.#round = this.#remembered()
    const heads = this.#round.splice(0, PAGE).flatMap((key) => this.#heads.get(key) ?? [])
    if (heads.length === 0) return []
    const waiting = await this.#watch.page(
      () => this.#revisit(heads),
      () => this.isAtStart,
    )
    this.remember(waiting)
    return waiting
  }

  #remembered(): string[] {
    const since = performance.now() - REMEMBERED_MS
    for (const [key, { waitedAt }] of this.#heads) if (waitedAt < since) this.#heads.delete(key)
    return [...this.#heads.keys()]
  }

  /** These have something to send from there on, and as far as has been looked nothing before. */
  remember(waiting: ReadyEndpoint[]): void {
    const waitedAt = performance.now()
    for (const { apiKey, endpointId, from } of waiting) {
      this.#heads.set(keyOf({ apiKey, endpointId }), { apiKey, endpointId, from, waitedAt })
    }
  }

  /** These have been claimed, and what waited between the heads and them, if not by another process. */
  advance(claimed: Claimed[]): void {
    for (const { apiKey, endpointId, seq } of claimed) {
      const head = this.#heads.get(keyOf({ apiKey, endpointId }))
      if (head) head.from = Math.max(head.from, seq + 1)
    }
  }

  /** These wait again. */
  rewind(promoted: QueueHead[]): void {
    const waitedAt = performance.now()
    for (const { apiKey, endpointId, from } of promoted) {
      const key = keyOf({ apiKey, endpointId })
      const known = this.#heads.get(key)?.from ?? from
      this.#heads.set(key, { apiKey, endpointId, from: Math.min(known, from), waitedAt })
    }
  }
}

const keyOf = ({ apiKey, endpointId }: Omit<QueueHead, 'from'>) => `${apiKey} ${endpointId}`
