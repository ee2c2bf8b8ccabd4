import { yieldToEventLoop } from '../turns/yield.ts'
import { together } from './db.ts'

/** Composing a statement of more items takes longer than a packet of its own. */
const FEW = 25

/**
 * Does `work` on many items once the statements that were issued before are on their way, so that the database runs
 * them meanwhile. On few items it does the work at once, and what that issues travels in the same packet.
 */
export async function meanwhile<T>(items: { length: number }, work: () => T | Promise<T>): Promise<T> {
  if (items.length > FEW) await yieldToEventLoop()
  return work()
}

/**
 * Does `work` on a list piece by piece: the database runs the statements of a piece while those of the next are made.
 * At most two pieces are under way. What `work` issues at once arrives in the order of the pieces, after all that was
 * issued before. After a failure it begins no further piece; it throws as `together` does.
 */
export async function piecewise<Item>(
  items: readonly Item[],
  size: number,
  work: (piece: readonly Item[]) => Promise<unknown>,
): Promise<void> {
  async function from(start: number, before: Promise<unknown>): Promise<void> {
    const end = start + size
    const done = work(items.slice(start, end))
    const rest = end < items.length ? together([before, yieldToEventLoop()]).then(() => from(end, done)) : before
    await together([done, rest])
  }
  await from(0, Promise.resolve())
}
