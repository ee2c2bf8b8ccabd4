import type { Db } from '../../../platform/db/db.ts'
import { yieldToEventLoop } from '../../../platform/turns/yield.ts'
import { readByChange } from '../lexical/read-judgments.ts'
import { preparePriors } from '../words/prior-frequencies.ts'
import { type Chunk, ChunkBuilder } from './chunk.ts'
import type { ChunkRange } from './stored-chunks.ts'

/** Adds the judgments of a range to a builder until it is full. Returns the last change of those it took, if it is. */
export async function fillChunk(
  db: Db,
  builder: ChunkBuilder,
  apiKey: string,
  { first, last }: ChunkRange,
): Promise<number | undefined> {
  await preparePriors()
  for (let next = first; ; ) {
    const rows = await readByChange(db, apiKey, { first: next, last })
    const taken = rows.slice(0, await builder.add(rows)).at(-1)
    if (!taken) return undefined
    if (builder.isFull) return taken.change
    next = taken.change + 1
  }
}

/** Makes chunks of the judgments of a range, without rests: an index waits for them. */
export async function* readChunksOf(db: Db, apiKey: string, { first, last }: ChunkRange): AsyncGenerator<Chunk> {
  for (let next: number | undefined = first; next !== undefined && next <= last; ) {
    const builder = new ChunkBuilder(yieldToEventLoop)
    const full = await fillChunk(db, builder, apiKey, { first: next, last })
    if (builder.count > 0) yield builder.build()
    next = full === undefined ? undefined : full + 1
  }
}
