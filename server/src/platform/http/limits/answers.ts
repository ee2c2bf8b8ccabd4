import type { Writable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { ApiError } from '../../errors.ts'
import type { Stream } from '../../operation.ts'
import { giveUpSlowest, type Kept, Turns, untilClosed } from '../../turns/turns.ts'
import type { JsonAnswer } from '../json-answer.ts'

interface Limits {
  /** The weight of the answers that are made at the same time, in all and for one API key. */
  weight: number
  weightPerKey: number
  /** Bytes that are made and not yet taken by their readers, in all and for one API key. */
  bytes: number
  bytesPerKey: number
  /** How long a request waits for its turn. */
  patienceMs: number
  /** After how long an answer that its reader has not taken may be given up for a key that holds less. */
  slowMs: number
}

const MEBIBYTE = 1024 * 1024

/** What large answers may take of a process: a heap of 512 MB holds it. */
export const ANSWER_LIMITS: Limits = {
  weight: 32,
  weightPerKey: 16,
  bytes: 64 * MEBIBYTE,
  bytesPerKey: 32 * MEBIBYTE,
  patienceMs: 10_000,
  slowMs: 2_000,
}

/** What a streamed answer holds at a time, about. */
const STREAM_BYTES = MEBIBYTE

/** What an answer holds of the memory, about, in bytes. */
export const sizeOf = (answer: JsonAnswer | Stream): number => {
  if (typeof answer === 'string') return answer.length
  return 'estimatedBytes' in answer ? answer.estimatedBytes : STREAM_BYTES
}

/** A request whose answer may be large, from its turn on. */
interface Admission {
  /** The answer is made and holds so many bytes until `end`, nothing after it. The next answer can be made. */
  made(bytes: number): void
  /** The answer has been taken, or nobody takes it any more. It may be called again. */
  end(): void
}

interface Usage {
  /** The weight of the answers that are being made. */
  weight: number
  bytes: number
}

const NONE: Usage = { weight: 0, bytes: 0 }

/** From how many bytes on an answer counts as large. */
const LARGE_BYTES = 128 * 1024
/**
 * What an answer weighs, by what its operation answered the key last. Large answers are made one at a time for a key
 * and two at a time in all: each takes connections to the database and turns of the event loop from everybody.
 */
const WEIGHT = { small: 1, unknown: 4, large: 16 }
const REMEMBERED = { max: 10_000, ttl: 600_000 }

/**
 * Bounds the memory of answers that may be large. A process makes few of them at a time, and none while its readers
 * have not taken what was made before. Requests wait for their turn in order; one API key never takes all the places.
 * Where several do, by readers that are slow, the oldest answer of the key that holds the most is given up for one that
 * waits.
 */
export class Answers {
  readonly #limits: Limits
  readonly #all: Usage = { weight: 0, bytes: 0 }
  /** How large the last answer was, by key and operation. */
  readonly #last = new LRUCache<string, 'small' | 'large'>(REMEMBERED)
  readonly #byKey = new Map<string, Usage>()
  readonly #turns: Turns
  /** The oldest first. */
  readonly #untaken = new Set<Kept>()

  constructor(limits: Limits) {
    this.#limits = limits
    this.#turns = new Turns(limits.patienceMs)
  }

  /** Bytes that are made and not yet taken, and requests that wait. */
  get state(): { bytes: number; waiting: number } {
    return { bytes: this.#all.bytes, waiting: this.#turns.waiting }
  }

  /**
   * Waits for a turn. RESOURCE_EXHAUSTED where the key's own answers do not end in time, else UNAVAILABLE. `leave` ends
   * the connection of the reader.
   */
  admit(key: string, operation: string, leave: () => void): Promise<Admission> {
    return this.#turns.next(
      () => (this.#hasRoom(key) ? this.#begin(key, operation, leave) : undefined),
      () => this.#refusal(key),
      () => this.#makeRoom(key),
    )
  }

  #makeRoom(key: string): boolean {
    const { bytes, slowMs } = this.#limits
    const own = this.#byKey.get(key) ?? NONE
    return this.#all.bytes >= bytes && giveUpSlowest(this.#untaken, { bytes: own.bytes, slowMs })
  }

  #refusal(key: string): ApiError {
    return this.#isFull(this.#byKey.get(key) ?? NONE, this.#limits.weightPerKey, this.#limits.bytesPerKey)
      ? new ApiError(
          'RESOURCE_EXHAUSTED',
          'Too many large answers to these credentials are in progress. Try again later.',
        )
      : new ApiError('UNAVAILABLE', 'The service is sending too many large answers. Try again later.')
  }

  #begin(key: string, operation: string, leave: () => void): Admission {
    const usage = this.#usageOf(key)
    const usages = [this.#all, usage]
    const name = `${key} ${operation}`
    const weight = WEIGHT[this.#last.get(name) ?? 'unknown']
    for (const each of usages) each.weight += weight
    let isMaking = true
    let hasEnded = false
    let held = 0
    const stopMaking = () => {
      if (isMaking) for (const each of usages) each.weight -= weight
      isMaking = false
    }
    const hold = (bytes: number) => {
      for (const each of usages) each.bytes += bytes - held
      held = bytes
    }
    const untaken: Kept = {
      usage,
      since: 0,
      giveUp: () => {
        end()
        leave()
      },
    }
    const end = () => {
      hasEnded = true
      this.#untaken.delete(untaken)
      stopMaking()
      hold(0)
      const own = this.#byKey.get(key)
      if (own && own.weight === 0 && own.bytes === 0) this.#byKey.delete(key)
      this.#turns.startNext()
    }
    return {
      made: (bytes) => {
        this.#last.set(name, bytes > LARGE_BYTES ? 'large' : 'small')
        if (hasEnded) return
        stopMaking()
        hold(bytes)
        untaken.since = performance.now()
        this.#untaken.add(untaken)
        this.#turns.startNext()
      },
      end,
    }
  }

  #hasRoom(key: string): boolean {
    const { weight, weightPerKey, bytes, bytesPerKey } = this.#limits
    return (
      !this.#isFull(this.#all, weight, bytes) && !this.#isFull(this.#byKey.get(key) ?? NONE, weightPerKey, bytesPerKey)
    )
  }

  #isFull({ weight, bytes }: Usage, mostWeight: number, mostBytes: number): boolean {
    return weight >= mostWeight || bytes >= mostBytes
  }

  #usageOf(key: string): Usage {
    const known = this.#byKey.get(key)
    if (known) return known
    const usage = { weight: 0, bytes: 0 }
    this.#byKey.set(key, usage)
    return usage
  }
}

/**
 * Admits the answer to a reader, the response of a request. It counts until the response closes. UNAVAILABLE where it
 * has closed before the turn came: then nobody needs the answer.
 */
export function admitReader(
  answers: Answers,
  reader: Writable,
  { key, operation }: { key: string; operation: string },
): Promise<Admission> {
  return untilClosed(
    reader,
    () => answers.admit(key, operation, () => reader.destroy()),
    (admission) => admission.end(),
  )
}
