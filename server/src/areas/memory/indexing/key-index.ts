import type { ApiKeyTenant } from '../../../platform/context.ts'
import { coalesceReads } from '../../../platform/db/coalesce-reads.ts'
import type { Db, Sql } from '../../../platform/db/db.ts'
import type { Log } from '../../../platform/log.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { mapWithRests, yieldToEventLoop } from '../../../platform/turns/yield.ts'
import { JudgmentTable } from '../lexical/judgment-table.ts'
import { type Content, createLexicalIndex, type LexicalIndex } from '../lexical/lexical-index.ts'
import { type Change, readChanges, readIndexed } from '../lexical/read-judgments.ts'
import type { Chunk } from './chunk.ts'
import { readChunksOf } from './make-chunk.ts'
import { listChunks, readChunk, type StoredChunk } from './stored-chunks.ts'
import { buildHere, type TextBuilder } from './text-builder.ts'
import { buildInThread, ThreadLost } from './threaded-builder.ts'

/** Fewer chunks are added in the time that a thread takes to start. */
const CHUNKS_FOR_THREAD = 2

/** The index of one API key in this process, and the last change that it has read. A new one is empty. */
export class KeyIndex {
  readonly #apiKey: string
  readonly #secrets: Secrets
  readonly #log: Pick<Log, 'warn'>
  #index = createLexicalIndex()
  /** The last change that it has read. */
  #seen = 0
  /** The last change when reading began. Judgments that were deleted up to then were never read. */
  #lastAtStart: number | undefined
  /** While an index is made from chunks. */
  #builder: TextBuilder | undefined
  /** The part of the reading that runs now. */
  #step: Promise<unknown> = Promise.resolve()
  /** Whether much is left to read: then callers may leave before the end. */
  #isLong = false
  /** Whether the last look found no newer change. */
  #isCaughtUp = false
  #isReading = false
  readonly #readAll = coalesceReads(async (_key, databases: Db[]) => {
    const [db] = databases
    if (db) await this.#read(db)
    return databases.map(() => undefined)
  })

  constructor({ apiKey }: ApiKeyTenant, { secrets, log }: { secrets: Secrets; log: Pick<Log, 'warn'> }) {
    this.#apiKey = apiKey
    this.#secrets = secrets
    this.#log = log
  }

  get index(): LexicalIndex {
    return this.#index
  }

  /** The approximate size in memory, with what is being made of chunks. */
  get bytes(): number {
    return this.#index.bytes + (this.#builder?.bytes ?? 0)
  }

  /** True while it reads changes. */
  get isReading(): boolean {
    return this.#isReading
  }

  /**
   * The last change that it has read, if the last look found no newer one; undefined otherwise. There may be newer ones
   * now.
   */
  get caughtUpTo(): number | undefined {
    return this.#isCaughtUp ? this.#seen : undefined
  }

  /**
   * Returns the index with every change committed before the call; undefined if much is left to read after
   * `patienceMs`. Reading then continues. Rejects when the database fails.
   */
  async caughtUp(db: Db, patienceMs: number): Promise<LexicalIndex | undefined> {
    const deadline = performance.now() + patienceMs
    let isDone = false
    const done = this.#readAll(this.#apiKey, db).then(() => {
      isDone = true
    })
    do {
      await Promise.race([done, this.#step])
    } while (!isDone && !(this.#isLong && performance.now() >= deadline))
    // If reading fails after the caller has left, the next caller's own reading reports it.
    done.catch(() => {})
    return isDone ? this.#index : undefined
  }

  async #read(db: Db): Promise<void> {
    this.#isReading = true
    try {
      if (this.#lastAtStart === undefined) await this.#readChunks(db)
      await this.#readChanges(db)
    } finally {
      this.#isReading = false
    }
  }

  /**
   * Makes the index from the chunks that are stored and the judgments between them. After a failure nothing is read.
   */
  async #readChunks(db: Db): Promise<void> {
    const { change, chunks } = await this.#stepOf(listChunks(db, this.#apiKey, this.#secrets))
    const readable = chunks.filter(({ isReadable }) => isReadable)
    const last = readable.at(-1)
    if (!last) return
    this.#isLong = true
    this.#index = createLexicalIndex(await this.#build(db, readable))
    this.#seen = last.last
    this.#lastAtStart = change
  }

  async #build(db: Db, chunks: StoredChunk[]): Promise<Content> {
    if (chunks.length < CHUNKS_FOR_THREAD) return this.#buildBy(db, buildHere(), chunks)
    try {
      return await this.#buildBy(db, buildInThread(), chunks)
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error
      this.#log.warn({ err: error, apiKey: this.#apiKey }, NO_THREAD)
      return this.#buildBy(db, buildHere(), chunks)
    }
  }

  async #buildBy(db: Db, builder: TextBuilder, chunks: StoredChunk[]): Promise<Content> {
    const table = new JudgmentTable()
    table.expect(chunks.reduce((sum, { judgments }) => sum + judgments, 0))
    this.#builder = builder
    try {
      for await (const { rows, ...texts } of this.#chunksInOrder(db, chunks)) {
        table.addMany(rows)
        await this.#stepOf(builder.add(texts))
      }
      return { table, ...(await this.#stepOf(builder.finish())) }
    } finally {
      builder.stop()
      this.#builder = undefined
    }
  }

  /** The stored chunks. What lies between them, or in one that is gone, is made into chunks here. */
  async *#chunksInOrder(db: Db, stored: StoredChunk[]): AsyncGenerator<Chunk> {
    const read = async (place: number) => {
      const range = stored[place]
      return range && (await readChunk(db, this.#apiKey, range, this.#secrets))
    }
    let seen = 0
    let next = read(0)
    for (const [place, { first, last }] of stored.entries()) {
      const chunk = await this.#stepOf(next)
      // The database reads the next one meanwhile.
      next = read(place + 1)
      next.catch(() => {})
      // None of their deletions concerns the index: a chunk that is read holds no judgment that was deleted before.
      const between = readChunksOf(db, this.#apiKey, { first: seen + 1, last: chunk ? first - 1 : last })
      for (let made = await this.#stepOf(between.next()); !made.done; made = await this.#stepOf(between.next())) {
        yield made.value
      }
      if (chunk) yield chunk
      seen = last
    }
  }

  /** Lets callers look at the time once the step has ended. If it fails, the reading as a whole reports that. */
  #stepOf<Result>(step: Promise<Result>): Promise<Result> {
    this.#step = step.catch(() => {})
    return step
  }

  async #readChanges(db: Db): Promise<void> {
    const before = this.#seen
    this.#isCaughtUp = false
    let page = readChanges(db, this.#apiKey, this.#seen)
    do {
      const { last, prunedTo, changes } = await this.#stepOf(page)
      this.#lastAtStart ??= last
      if (prunedTo > Math.max(this.#seen, this.#lastAtStart)) {
        // Deletions that it has not read are gone from the log.
        this.#startAgain(last)
        page = readChanges(db, this.#apiKey, 0)
      } else {
        const to = changes.at(-1)?.change ?? last
        this.#isLong = to < last
        // The database reads the next page meanwhile.
        if (this.#isLong) page = readChanges(db, this.#apiKey, to)
        // If it fails before its turn, nobody waits for it yet, and Node would end the process.
        page.catch(() => {})
        await this.#stepOf(mapWithRests(changes, (change) => apply(this.#index, change)))
        this.#seen = to
      }
    } while (this.#isLong)
    await this.#reweigh()
    this.#isCaughtUp = this.#seen === before
  }

  #startAgain(last: number): void {
    this.#index = createLexicalIndex()
    this.#seen = 0
    this.#lastAtStart = last
    this.#isLong = true
  }

  async #reweigh(): Promise<void> {
    while (this.#index.isStale && this.#index.reweighStep()) {
      this.#isLong = true
      await this.#stepOf(yieldToEventLoop())
    }
  }
}

function apply(index: LexicalIndex, { change: _, isDeleted, ...row }: Change): void {
  if (isDeleted) index.remove(row.key)
  else index.upsert(row)
}

/** Reads an index of the judgments that meet a condition over `judgment j`; undefined if they are more than `limit`. */
export async function indexOfFew(
  db: Db,
  { apiKey }: ApiKeyTenant,
  condition: Sql,
  limit: number,
): Promise<LexicalIndex | undefined> {
  const rows = await readIndexed(db, apiKey, condition, limit + 1)
  if (rows.length > limit) return undefined
  const index = createLexicalIndex()
  await mapWithRests(rows, (row) => index.upsert(row))
  return index
}

const NO_THREAD =
  'the thread that makes an index from chunks was lost: the index is made in the main thread, which is slower'
