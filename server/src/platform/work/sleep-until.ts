import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../context.ts'

// Node fires a longer timer at once.
const LONGEST_MS = 2 ** 31 - 1

/**
 * Sleeps until the clock reaches a time (epoch ms); returns at once when it has passed. Never call it in a transaction.
 */
export async function sleepUntil(time: number, clock: Clock): Promise<void> {
  // A timer may fire a little early.
  for (let left = time - clock.now(); left > 0; left = time - clock.now()) {
    await delay(Math.min(Math.ceil(left), LONGEST_MS))
  }
}
