import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../context.ts'

// A timer of Node that is longer fires at once.
const LONGEST_MS = 2 ** 31 - 1

/** Waits until a time of the clock; at once when that has passed. For what is done outside of any transaction. */
export async function sleepUntil(time: number, clock: Clock): Promise<void> {
  // A timer may fire a little early.
  for (let left = time - clock.now(); left > 0; left = time - clock.now()) {
    await delay(Math.min(Math.ceil(left), LONGEST_MS))
  }
}
