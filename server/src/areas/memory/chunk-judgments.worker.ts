import type { Services, WorkerContext } from '../../platform/context.ts'
import type { Source } from '../../platform/work/worker.ts'
import { CHUNK_SIZE, ChunkBuilder } from './indexing/chunk.ts'
import { fillChunk } from './indexing/make-chunk.ts'
import {
  type ChunkClaim,
  type ChunkRange,
  claimChunking,
  deleteChunk,
  endChunking,
  listChunks,
  storeChunk,
} from './indexing/stored-chunks.ts'

/** Fewer new judgments are read quickly without a chunk. */
const ENOUGH = 512
const LEASE_MS = 600_000
/**
 * How long an API key rests after it was looked after. Each deletion may tear a chunk, and making it takes a second.
 */
const REST_MS = 60_000
const EVERY_MS = 15_000

interface Context extends Pick<WorkerContext, 'reads' | 'db'> {
  services: Pick<Services, 'clock' | 'secrets'>
}

/**
 * Keeps the judgments of API keys that have many in chunks, so that a process that starts has its index soon. It makes
 * one chunk at a time, of new judgments or in place of a torn one. Work whose process dies is claimed again.
 */
export function judgmentChunks({ reads, db, services: { clock, secrets } }: Context): Source {
  let nextAt = 0

  async function makeChunk({ apiKey, seen }: ChunkClaim): Promise<{ seen: number; restMs: number }> {
    const { change, chunks } = await listChunks(reads, apiKey, secrets)
    const due = chunks.find(({ isDue }) => isDue)
    if (due) {
      await store(apiKey, due, 1)
      return { seen, restMs: chunks.some((each) => each !== due && each.isDue) ? 0 : REST_MS }
    }
    const trailing = chunks.at(-1)
    const isExtended = trailing?.isReadable === true && trailing.judgments < CHUNK_SIZE / 2
    const first = isExtended ? trailing.first : (trailing?.last ?? 0) + 1
    const enough = ENOUGH + (isExtended ? trailing.judgments : 0)
    return (await store(apiKey, { first, last: change }, enough))
      ? { seen, restMs: 0 }
      : { seen: change, restMs: REST_MS }
  }

  /** Makes the chunk of a range. Returns whether it became full, and leaves judgments of the range to the next one. */
  async function store(apiKey: string, range: ChunkRange, enough: number): Promise<boolean> {
    const builder = new ChunkBuilder()
    const last = (await fillChunk(reads, builder, apiKey, range)) ?? range.last
    const isWorthIt = builder.isFull || builder.count >= enough
    if (isWorthIt) await storeChunk(db, apiKey, { first: range.first, last }, builder.build(), secrets)
    else if (enough === 1) await deleteChunk(db, apiKey, range)
    return builder.isFull
  }

  return {
    name: 'judgment chunks',
    async work() {
      const now = clock.now()
      if (now < nextAt) return 0
      const claim = await claimChunking(db, secrets, { now, until: now + LEASE_MS, enough: ENOUGH })
      if (!claim) {
        nextAt = now + EVERY_MS
        return 0
      }
      const { seen, restMs } = await makeChunk(claim)
      await endChunking(db, { ...claim, seen }, clock.now() + restMs)
      return 1
    },
  }
}
