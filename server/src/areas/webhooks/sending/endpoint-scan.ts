import type { Claimed } from './claim.ts'
import { endpointKeyOf, hasMorePages, PAGE, type QueueHead, type ReadyEndpoint } from './ready-endpoints.ts'

/** An endpoint is forgotten this long after it last had something ready. */
const REMEMBERED_MS = 30_000

/** Pages through the endpoints with ready deliveries, and starts over after the last page. */
export interface EndpointScan {
  /** Whether the scan covers every endpoint. */
  readonly isFull: boolean
  /** True before the first page and after the last. */
  readonly isAtStart: boolean
  next(): Promise<ReadyEndpoint[]>
}

/** Reports how long each pass of a scan took; a pass ends with its last page or with an error. */
class Stopwatch {
  readonly #report: (ms: number) => void
  #ms = 0

  constructor(report: (ms: number) => void) {
    this.#report = report
  }

  /** Times the read of a page. `isLast` tells afterwards whether the page ended the pass. */
  async page(read: () => Promise<ReadyEndpoint[]>, isLast: () => boolean): Promise<ReadyEndpoint[]> {
    const start = performance.now()
    let failed = true
    try {
      const page = await read()
      failed = false
      return page
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

/** Scans every endpoint with ready deliveries, in the order of their keys. */
export class FullScan implements EndpointScan {
  readonly isFull = true
  readonly #readPage: (after: typeof START) => Promise<ReadyEndpoint[]>
  readonly #stopwatch: Stopwatch
  #position = START

  constructor(readPage: (after: typeof START) => Promise<ReadyEndpoint[]>, report: (ms: number) => void) {
    this.#readPage = readPage
    this.#stopwatch = new Stopwatch(report)
  }

  get isAtStart(): boolean {
    return this.#position === START
  }

  next(): Promise<ReadyEndpoint[]> {
    const read = async () => {
      const page = await this.#readPage(this.#position)
      this.#position = (hasMorePages(page) && page.at(-1)) || START
      return page
    }
    return this.#stopwatch.page(read, () => this.isAtStart)
  }
}

/** Scans the endpoints that lately had ready deliveries, each from where this process has claimed to. */
export class IncrementalScan implements EndpointScan {
  readonly isFull = false
  readonly #find: (heads: QueueHead[]) => Promise<ReadyEndpoint[]>
  readonly #stopwatch: Stopwatch
  readonly #heads = new Map<string, QueueHead & { seenAt: number }>()
  /** Keys of the endpoints that the current pass has yet to read. */
  #left: string[] = []

  constructor(find: (heads: QueueHead[]) => Promise<ReadyEndpoint[]>, report: (ms: number) => void) {
    this.#find = find
    this.#stopwatch = new Stopwatch(report)
  }

  get isAtStart(): boolean {
    return this.#left.length === 0
  }

  async next(): Promise<ReadyEndpoint[]> {
    if (this.isAtStart) this.#left = this.#remembered()
    const heads = this.#left.splice(0, PAGE).flatMap((key) => this.#heads.get(key) ?? [])
    if (heads.length === 0) return []
    const page = await this.#stopwatch.page(
      () => this.#find(heads),
      () => this.isAtStart,
    )
    this.remember(page)
    return page
  }

  #remembered(): string[] {
    const since = performance.now() - REMEMBERED_MS
    for (const [key, { seenAt }] of this.#heads) if (seenAt < since) this.#heads.delete(key)
    return [...this.#heads.keys()]
  }

  /** Remembers endpoints with ready deliveries. The scan found none before their heads. */
  remember(page: ReadyEndpoint[]): void {
    const seenAt = performance.now()
    for (const { apiKey, endpointId, from } of page) {
      this.#heads.set(endpointKeyOf({ apiKey, endpointId }), { apiKey, endpointId, from, seenAt })
    }
  }

  /** Moves heads past deliveries that were claimed. What lies between is claimed too, by this process or another. */
  advance(claimed: Claimed[]): void {
    for (const { apiKey, endpointId, seq } of claimed) {
      const head = this.#heads.get(endpointKeyOf({ apiKey, endpointId }))
      if (head) head.from = Math.max(head.from, seq + 1)
    }
  }

  /** Moves heads back to deliveries that are ready again. */
  rewind(promoted: QueueHead[]): void {
    const seenAt = performance.now()
    for (const { apiKey, endpointId, from } of promoted) {
      const key = endpointKeyOf({ apiKey, endpointId })
      const known = this.#heads.get(key)?.from ?? from
      this.#heads.set(key, { apiKey, endpointId, from: Math.min(known, from), seenAt })
    }
  }
}
