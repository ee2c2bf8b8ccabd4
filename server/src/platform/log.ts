import { writeSync } from 'node:fs'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { isPlain } from './json-value.ts'

/** The structured log of the process. */
export type Log = Logger

/**
 * Creates a log that writes JSON lines to standard error, from the configured level on. Standard output is for people.
 * Fields that hold secrets are masked.
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, destination?: DestinationStream): Log {
  // Not pino's `redact`: for that many paths it takes 53 µs a line, this takes 2.
  const options = { level: logLevel, base: null, formatters: { log: (entry: Fields) => withoutSecrets(entry) } }
  standardError ??= new LinesTo(process.stderr)
  return pino(options, destination ?? standardError)
}

/** All logs of the process share it. */
let standardError: LinesTo | undefined
/** UTF-16 units that wait for a reader at most: further lines are dropped, and counted. */
const MOST_WAITING = 16 * 1024 * 1024
/** How often a full pipe is tried again, and how many times at the end of the process or after a fatal error. */
const EVERY_MS = 10
const MOST_TRIES = 300

/**
 * Writes lines to standard error in their order, those of a moment at once, without waiting for the reader: what a full
 * pipe does not take waits. Once the reader is gone, lines are dropped. At the end of the process all is written, as
 * far as the reader takes it within three seconds. A terminal that is held (Ctrl-S) holds the process, as with
 * `console`.
 */
class LinesTo implements DestinationStream {
  readonly #fd: number
  #waiting = ''
  /** What a full pipe has not taken; it comes before what waits. */
  #left = Buffer.alloc(0)
  #isDue = false
  #dropped = 0

  /** Node makes a pipe or socket one that does not block when it opens its stream. */
  constructor({ fd }: { fd: number }) {
    this.#fd = fd
    process.once('exit', () => this.flushSync())
  }

  write(line: string): void {
    if (this.#waiting.length > MOST_WAITING) this.#dropped++
    else this.#waiting += line
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => this.#writeNext())
  }

  /** Writes what waits before it returns, as pino wants it after a fatal error. */
  flushSync(): void {
    for (let tries = 0; tries < MOST_TRIES && !this.#writeMost(); tries++) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EVERY_MS)
    }
  }

  #writeNext(): void {
    this.#isDue = !this.#writeMost()
    // The process may end before: then it writes the rest.
    if (this.#isDue) setTimeout(() => this.#writeNext(), EVERY_MS).unref()
  }

  /** Writes until nothing waits; false if the pipe is full. */
  #writeMost(): boolean {
    for (;;) {
      const bytes = this.#take()
      if (bytes.length === 0) return true
      try {
        this.#left = bytes.subarray(writeSync(this.#fd, bytes))
      } catch (error) {
        if (!isFull(error)) continue
        this.#left = bytes
        return false
      }
    }
  }

  #take(): Buffer<ArrayBuffer> {
    const left = this.#left
    this.#left = Buffer.alloc(0)
    if (left.length > 0) return left
    const told = {
      level: 40,
      time: Date.now(),
      dropped: this.#dropped,
      msg: 'log lines were dropped: the reader is too slow',
    }
    const bytes = Buffer.from(this.#dropped === 0 ? this.#waiting : `${this.#waiting}${JSON.stringify(told)}\n`)
    this.#waiting = ''
    this.#dropped = 0
    return bytes
  }
}

const isFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN'

type Fields = Record<string, unknown>

// Matches the last word of a name: credential headers under any prefix, and every kind of token.
const SECRET_FIELD =
  /(authorization|cookie|password|secret|secretkeys|token|privatekey|database(direct)?url|smtpurl|(embedder|chat)apikey)$/i
const MAX_DEPTH = 4

function withoutSecrets(fields: Fields, depth = 1): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (isSecret(name)) return [name, '[secret]']
      return [name, depth < MAX_DEPTH && isPlain(value) ? withoutSecrets(value, depth + 1) : value]
    }),
  )
}

const MOST_NAMES = 1_000
const known = new Map<string, boolean>()

/** Lines have few different names: what each is, is looked up. */
function isSecret(name: string): boolean {
  const before = known.get(name)
  if (before !== undefined) return before
  const secret = SECRET_FIELD.test(name)
  if (known.size < MOST_NAMES) known.set(name, secret)
  return secret
}
