import { afterAll } from 'vitest'

const MOST_MS = 10_000

const waiting: (() => Promise<unknown>)[] = []

/** Calls `close` when the tests of the current file have ended, before what was given earlier. */
export function atEndOfFile(close: () => Promise<unknown>): void {
  waiting.push(close)
}

/** Registers the end of a test file; the setup of each file calls it. What hangs or fails there fails no test. */
export function watchEndOfFile(): void {
  afterAll(async () => {
    for (let close = waiting.pop(); close; close = waiting.pop()) {
      await Promise.race([close().catch(() => {}), new Promise((resolve) => setTimeout(resolve, MOST_MS).unref())])
    }
  })
}
