import { setImmediate as schedule } from 'node:timers'
import { setImmediate, setTimeout } from 'node:timers/promises'

/** Yields to the event loop: a long computation awaits it between its parts, so that other work of the process runs. */
export const yieldToEventLoop = (): Promise<void> => setImmediate()

const waiting: (() => void)[] = []

/**
 * Waits for a turn of the event loop of its own: of all that wait, one goes on in each turn. What many requests do when
 * their data arrives together would otherwise hold the process as one piece of work.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) schedule(startNext)
  })
}

function startNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) schedule(startNext)
}

/** After a step that took less time, other work has only the turns that it needs. */
const SHORT_MS = 5

/**
 * After a step of a long computation that began at `since` (`performance.now()`): gives other work of the process as
 * much time as the step took. A request of somebody else needs several turns of the event loop. The next step has a
 * turn of its own: timers that end together run in one turn, and so the steps of many requests would.
 */
export async function restAfter(since: number): Promise<void> {
  const took = performance.now() - since
  if (took >= SHORT_MS) await setTimeout(took)
  await ownTurn()
}

const TURN_MS = 10

/** Maps a list whose items may take long, in a turn of its own and with rests between them. */
export async function mapInTurns<Item, Result>(items: Item[], map: (item: Item) => Result): Promise<Result[]> {
  await ownTurn()
  return mapWithRests(items, map)
}

/** Maps a list whose items may take long, with rests between them. A short list is mapped at once. */
export async function mapWithRests<Item, Result>(items: Item[], map: (item: Item) => Result): Promise<Result[]> {
  const results: Result[] = []
  let since = performance.now()
  for (const item of items) {
    results.push(map(item))
    if (performance.now() - since < TURN_MS) continue
    await restAfter(since)
    since = performance.now()
  }
  return results
}
