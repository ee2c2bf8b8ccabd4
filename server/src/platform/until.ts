import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from './context.ts'

/** Waits until a time of the clock; at once when that has passed. For what is done outside of any transaction. */
export async function until(time: number, clock: Clock): Promise<void> {
  // A timer may fire a little early.
  for (let left = time - clock.now(); left > 0; left = time - clock.now()) await delay(Math.ceil(left))
}
