import type { ApiKeyTenant } from '../../../platform/context.ts'
import { coalesceReads } from '../../../platform/db/coalesce-reads.ts'
import type { Db, Sql } from '../../../platform/db/db.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { yieldToEventLoop } from '../../../platform/yield.ts'
import type { Chunk } from './chunk.ts'
import { createLexicalIndex, type LexicalIndex } from './lexical-index.ts'
import { type Change, type IndexedRow, readChanges, readIndexed } from './read-judgments.ts'
import { listChunks, readChunk } from './stored-chunks.ts'

/** So short that a pause between two turns is a turn of the event loop, and not a rest. */
const TURN_MS = 4

/** The index of one API key in this process, and the last change that it has read. A new one is empty. */
export class KeyIndex {
  readonly #apiKey: string
  readonly #secrets: Secrets
  #index = createLexicalIndex()
  #seen = 0
  /** The last change when reading began. Judgments that were deleted up to then were never read. */
  #lastAtStart: number | undefined
  #step: Promise<unknown> = Promise.resolve()
  #isLong = false
  #isCaughtUp = false
  #isReading = false
  readonly #readAll = coalesceReads(async (_key, databases: Db[]) => {
    const [db] = databases
    if (db) await this.#read(db)
    return databases.map(() => undefined)
  })

  constructor({ apiKey }: ApiKeyTenant, secrets: Secrets) {
    this.#apiKey = apiKey
    this.#secrets = secrets
  }

  get index(): LexicalIndex {
    return this.#index
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
    do await Promise.race([done, this.#step])
    while (!isDone && !(this.#isLong && performance.now() >= deadline))
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

  /** Fills a new index from the chunks that are stored; reads the judgments between them, and those after the last. */
  async #readChunks(db: Db): Promise<void> {
    const { change, chunks } = await this.#stepOf(listChunks(db, this.#apiKey, this.#secrets))
    const readable = chunks.filter(({ isReadable }) => isReadable)
    if (readable.length === 0) return
    this.#lastAtStart = change
    this.#isLong = true
    const read = (place: number) => {
      const range = readable[place]
      return range ? readChunk(db, this.#apiKey, range, this.#secrets) : Promise.resolve(undefined)
    }
    let next = read(0)
    for (const [place, { first, last }] of readable.entries()) {
      const chunk = await this.#stepOf(next)
      // The database reads the next one meanwhile.
      next = read(place + 1)
      next.catch(() => {})
      await this.#readUpTo(db, first - 1)
      if (!chunk) continue
      await this.#stepOf(this.#add(chunk))
      this.#seen = last
    }
  }

  async #add(chunk: Chunk): Promise<void> {
    let since = performance.now()
    for (const _ of this.#index.addChunk(chunk)) {
      if (performance.now() - since < TURN_MS) continue
      await yieldToEventLoop()
      since = performance.now()
    }
  }

  async #readUpTo(db: Db, last: number): Promise<void> {
    while (this.#seen < last) {
      const { changes } = await this.#stepOf(readChanges(db, this.#apiKey, this.#seen, last))
      for (const change of changes) apply(this.#index, change)
      this.#seen = changes.at(-1)?.change ?? last
    }
  }

  /** The reading as a whole reports a failure. */
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
      // Deletions that it has not read are gone from the log: start again.
      if (prunedTo > Math.max(this.#seen, this.#lastAtStart)) {
        this.#index = createLexicalIndex()
        this.#seen = 0
        this.#lastAtStart = last
        this.#isLong = true
        page = readChanges(db, this.#apiKey, 0)
        continue
      }
      const to = changes.at(-1)?.change ?? last
      this.#isLong = to < last
      // The database reads the next page meanwhile.
      if (this.#isLong) page = readChanges(db, this.#apiKey, to)
      for (const change of changes) apply(this.#index, change)
      this.#seen = to
    } while (this.#isLong)
    await this.#reweigh()
    this.#isCaughtUp = this.#seen === before
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
  else add(index, row)
}

function add(index: LexicalIndex, { key, ...row }: IndexedRow): void {
  index.upsert({ ...row, recordId: key })
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
  for (const row of rows) add(index, row)
  return index
}
