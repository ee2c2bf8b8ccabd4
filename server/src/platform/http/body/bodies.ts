import type { Readable } from 'node:stream'
import { ApiError } from '../../errors.ts'
import { type Closing, giveUpSlowest, type Kept, Turns, untilClosed } from '../../turns/turns.ts'
import { yieldToEventLoop } from '../../turns/yield.ts'

interface Limits {
  /** Bytes at a time, in all and for one API key. */
  bytes: number
  bytesPerKey: number
  /** How long a request waits for its turn. */
  patienceMs: number
  /** After how long a body that has not arrived may be given up for a key that holds less. */
  slowMs: number
}

const MEBIBYTE = 1024 * 1024

/** Smaller bodies are not counted. */
const SMALL_BYTES = 64 * 1024

/** What request bodies may take of a process: as bytes while they arrive, and about eight times as much once parsed. */
export const BODY_LIMITS = {
  arriving: { bytes: 128 * MEBIBYTE, bytesPerKey: 48 * MEBIBYTE, patienceMs: 10_000, slowMs: 2_000 },
  parsed: { bytes: 12 * MEBIBYTE, bytesPerKey: 6 * MEBIBYTE, patienceMs: 10_000, slowMs: 2_000 },
}

/** How long a large body may take to arrive: whoever sends slowly holds its place no longer. */
const ARRIVAL_MS = 30_000

/**
 * Bounds the bytes of large request bodies that a process holds at a time, in all and for one API key. Requests wait
 * for their turn. One that is larger than the limit gets its turn when it is alone.
 */
export class Bodies {
  readonly #limits: Limits
  readonly #turns: Turns
  readonly #byKey = new Map<string, { bytes: number }>()
  /** What arrives, the oldest first. */
  readonly #arriving = new Set<Kept>()
  #bytes = 0

  constructor(limits: Limits) {
    this.#limits = limits
    this.#turns = new Turns(limits.patienceMs)
  }

  /** Bytes that are held now, and requests that wait. */
  get state(): { bytes: number; waiting: number } {
    return { bytes: this.#bytes, waiting: this.#turns.waiting }
  }

  /**
   * Waits for a turn; returns a function that gives the bytes back, which may be called again. RESOURCE_EXHAUSTED where
   * the key's own bodies do not end in time, else UNAVAILABLE. `body` is one that arrives: it may be given up.
   */
  async hold(key: string, bytes: number, body?: Arriving['raw']): Promise<() => void> {
    if (bytes < SMALL_BYTES) return () => {}
    const release = await this.#turns.next(
      () => (this.#hasRoom(key, bytes) && this.#isFreeFor(bytes) ? this.#take(key, bytes, body) : undefined),
      () =>
        this.#hasRoom(key, bytes)
          ? new ApiError('UNAVAILABLE', 'The service is reading too many large requests. Try again later.')
          : new ApiError(
              'RESOURCE_EXHAUSTED',
              'Too many large requests with these credentials are in progress. Try again later.',
            ),
      () => this.#makeRoom(key, bytes),
    )
    // Large bodies never follow each other without a pause in which the process does something else.
    await yieldToEventLoop()
    return release
  }

  #makeRoom(key: string, bytes: number): boolean {
    if (!this.#hasRoom(key, bytes) || this.#isFreeFor(bytes)) return false
    return giveUpSlowest(this.#arriving, { bytes: this.#heldBy(key), slowMs: this.#limits.slowMs })
  }

  #hasRoom(key: string, bytes: number): boolean {
    const held = this.#heldBy(key)
    return held === 0 || held + bytes <= this.#limits.bytesPerKey
  }

  #isFreeFor(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#limits.bytes
  }

  #heldBy(key: string): number {
    return this.#byKey.get(key)?.bytes ?? 0
  }

  #take(key: string, bytes: number, body?: Arriving['raw']): () => void {
    const usage = this.#byKey.get(key) ?? { bytes: 0 }
    this.#byKey.set(key, usage)
    this.#bytes += bytes
    usage.bytes += bytes
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      this.#arriving.delete(arriving)
      this.#bytes -= bytes
      usage.bytes -= bytes
      if (usage.bytes === 0) this.#byKey.delete(key)
      this.#turns.startNext()
    }
    const began = performance.now()
    const arriving: Kept = {
      usage,
      // What has arrived is being worked on, and is not slow.
      get since() {
        return body?.complete ? Number.POSITIVE_INFINITY : began
      },
      giveUp: () => {
        release()
        body?.destroy()
      },
    }
    if (body) this.#arriving.add(arriving)
    return release
  }
}

/**
 * Reads and drops what is still to come of a body, until the request times out: one chunk in a turn of the event loop.
 * A connection that sends fast would otherwise hold the process for megabytes at a time.
 */
export function dropRest(body: Readable): void {
  body.on('data', () => {
    body.pause()
    setImmediate(() => body.resume())
  })
}

/** The part of a request that `admitBody` looks at. */
interface Arriving {
  headers: { 'content-length'?: string | undefined; 'transfer-encoding'?: string | undefined }
  raw: { destroy(): unknown; complete: boolean }
}

/**
 * Waits until a body may be read. It counts until the response closes. A body without a length counts as `maxBytes`; a
 * longer one is not counted, because it is refused unread. The connection is closed where a large body takes too long.
 */
export async function admitBody(
  bodies: Bodies,
  { headers, raw }: Arriving,
  reader: Closing,
  { key, maxBytes }: { key: string; maxBytes: number },
): Promise<void> {
  const length = headers['transfer-encoding'] ? maxBytes : Number(headers['content-length'] ?? 0)
  if (length < SMALL_BYTES || length > maxBytes) return
  await untilClosed(
    reader,
    () => bodies.hold(key, length, raw),
    (release) => release(),
  )
  const timer = setTimeout(() => {
    if (!raw.complete) raw.destroy()
  }, ARRIVAL_MS)
  reader.once('close', () => clearTimeout(timer))
}
