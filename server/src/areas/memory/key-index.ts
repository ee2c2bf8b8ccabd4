import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'
import { turn } from '../../platform/turn.ts'
import type { IndexedJudgment } from './indexed-judgment.ts'
import { createLexicalIndex, type LexicalIndex } from './lexical-index.ts'
import { shared } from './shared-reading.ts'

/** Judgments read at once: what it takes to index them holds up everything else in the process. */
const PAGE = 100
/** As much of a text as tells what it is about. */
const INDEXED_CHARACTERS = 20_000

/** The judgments of one API key as this process has read them, and up to which change: nothing yet when it is made. */
export class KeyIndex {
  readonly #apiKey: string
  #index = createLexicalIndex()
  #seen = 0
  /** The last change that there was when the reading began: of what was deleted up to it, nothing was read. */
  #begun: number | undefined
  #step: Promise<unknown> = Promise.resolve()
  #isLong = false
  #isQuiet = false
  readonly #readAll = shared((db) => this.#read(db))

  constructor({ apiKey }: ApiKeyTenant) {
    this.#apiKey = apiKey
  }

  get index(): LexicalIndex {
    return this.#index
  }

  /** True between changes that are being read. */
  get isReading(): boolean {
    return this.#readAll.isRunning
  }

  /** The last change that the index has read, where at the last look there was no other: there may well be none now. */
  get quietSince(): number | undefined {
    return this.#isQuiet ? this.#seen : undefined
  }

  /**
   * The index with every change that was committed before the call; undefined when after `patienceMs` there is still
   * much to read, which goes on. It rejects when the database fails.
   */
  async caughtUp(db: Db, patienceMs: number): Promise<LexicalIndex | undefined> {
    const deadline = performance.now() + patienceMs
    let isDone = false
    const done = this.#readAll.run(db).then(() => {
      isDone = true
    })
    do await Promise.race([done, this.#step])
    while (!isDone && !(this.#isLong && performance.now() >= deadline))
    // What fails after the caller has gone is told to the next one, by its own reading.
    done.catch(() => {})
    return isDone ? this.#index : undefined
  }

  async #read(db: Db): Promise<void> {
    const before = this.#seen
    this.#isQuiet = false
    let page = readChanges(db, this.#apiKey, this.#seen)
    do {
      this.#step = page
      const { last, prunedTo, changes } = await page
      this.#begun ??= last
      // Deletions that were not read are not to be had any more.
      if (prunedTo > Math.max(this.#seen, this.#begun)) {
        this.#index = createLexicalIndex()
        this.#seen = 0
        this.#begun = last
        this.#isLong = true
        page = readChanges(db, this.#apiKey, 0)
        continue
      }
      const to = changes.at(-1)?.change ?? last
      this.#isLong = to < last
      // The database reads on meanwhile.
      if (this.#isLong) page = readChanges(db, this.#apiKey, to)
      for (const change of changes) apply(this.#index, change)
      this.#seen = to
    } while (this.#isLong)
    await this.#weighAnew()
    this.#isQuiet = this.#seen === before
  }

  async #weighAnew(): Promise<void> {
    while (this.#index.isStale && this.#index.tend()) {
      this.#isLong = true
      this.#step = turn()
      await this.#step
    }
  }
}

interface IndexedRow extends Omit<IndexedJudgment, 'recordId'> {
  key: string
}

interface Change extends IndexedRow {
  change: number
  isDeleted: boolean
}

interface Page {
  /** The number of the last change that there is. */
  last: number
  /** Of the deletions up to this change some are not to be had any more. */
  prunedTo: number
  changes: Change[]
}

/**
 * The first changes after one, of as many numbers as a page has, which may be fewer changes: those between were changed
 * again. In one statement, so that none is passed over. A range of numbers is looked up by its index even while the
 * planner knows nothing of the table; a sorted list of 33,000 new rows took it 500 times as long.
 */
async function readChanges(db: Db, apiKey: string, seen: number): Promise<Page> {
  const rows = await db.query<Omit<Page, 'changes'> & (Change | { change: null })>(sql`
    with page as materialized (
      select start, start + ${PAGE} as stop
      from (
        select least(
          (select change
          from judgment
          where api_key = ${apiKey} and change > ${seen}::bigint
          order by change
          limit 1),
          (select change
          from judgment_deletion
          where api_key = ${apiKey} and change > ${seen}::bigint
          order by change
          limit 1)
        ) as start
      ) s
    )
    select l.change as last, l.pruned_to as "prunedTo", c.*
    from judgment_log l
    left join (
      select change, false as "isDeleted", ${indexedColumns}
      from judgment j
      where api_key = ${apiKey} and change >= (select start from page) and change < (select stop from page)
      union all
      select change, true, key, null, null, null, null, null, null, null, null, null
      from judgment_deletion
      where api_key = ${apiKey} and change >= (select start from page) and change < (select stop from page)
    ) c on true
    where l.api_key = ${apiKey}
    order by c.change`)
  const { last = seen, prunedTo = 0 } = rows[0] ?? {}
  return { last, prunedTo, changes: rows.flatMap((row) => (row.change === null ? [] : [row])) }
}

/** SQL: what the index knows of `judgment j`. */
export const indexedColumns = sql`
  j.key, j.organization_key as organization, j.document_key as document, j.decision, j.judge_type as "judgeType",
  j.content_type as "contentType", j.reviewer_key as "reviewerId", j.created_at as "createdAt",
  left(j.reasoning, ${INDEXED_CHARACTERS}) as reasoning, left(j.content, ${INDEXED_CHARACTERS}) as content`

function apply(index: LexicalIndex, { change: _, isDeleted, ...row }: Change): void {
  if (isDeleted) index.remove(row.key)
  else add(index, row)
}

function add(index: LexicalIndex, { key, ...row }: IndexedRow): void {
  index.upsert({ ...row, recordId: key })
}

/** An index of the few judgments that meet a condition over `judgment j`; undefined when they are more than `limit`. */
export async function indexOfFew(
  db: Db,
  { apiKey }: ApiKeyTenant,
  condition: Sql,
  limit: number,
): Promise<LexicalIndex | undefined> {
  const rows = await db.query<IndexedRow>(sql`
    select ${indexedColumns}
    from judgment j
    where j.api_key = ${apiKey} and ${condition}
    order by j.change
    limit ${limit + 1}`)
  if (rows.length > limit) return undefined
  const index = createLexicalIndex()
  for (const row of rows) add(index, row)
  return index
}
