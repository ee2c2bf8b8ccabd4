import { yieldToEventLoop } from '../../../platform/turns/yield.ts'
import { addTexts, bytesOfTexts, type ChunkTexts, emptyTexts, type Texts, weighTexts } from '../lexical/texts.ts'

/** Makes the texts of an index from those of chunks, in the order of their addition. */
export interface TextBuilder {
  /** What they take in memory so far. */
  readonly bytes: number
  /** Adds texts, whose arrays must not be used any more; resolves when it is time for the next ones. */
  add(texts: ChunkTexts): Promise<void>
  /** The texts with their weights. */
  finish(): Promise<Texts>
  /** Call it in the end, whether it has finished or not. */
  stop(): void
}

/** So short that a pause between two turns is a turn of the event loop, and not a rest. */
const TURN_MS = 4

/** Makes them in this thread. A step holds the event loop for some 20 milliseconds. */
export function buildHere(): TextBuilder {
  const texts = emptyTexts()
  return {
    get bytes() {
      return bytesOfTexts(texts)
    },
    add: (chunk) => inTurns(addTexts(texts, chunk)),
    async finish() {
      await inTurns(weighTexts(texts))
      return texts
    },
    stop() {},
  }
}

async function inTurns(steps: Iterable<void>): Promise<void> {
  let since = performance.now()
  for (const _ of steps) {
    if (performance.now() - since < TURN_MS) continue
    await yieldToEventLoop()
    since = performance.now()
  }
}
