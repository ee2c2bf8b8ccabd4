import type { WorkerContext } from '../../platform/context.ts'
import { DAY_MS } from '../../platform/date-range.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'
import { type Backlog, measureBacklog } from '../../platform/work/backlog.ts'
import { InProgress } from '../../platform/work/in-progress.ts'
import type { Source } from '../../platform/work/worker.ts'
import { type FileText, mayBeOfAnother, readFile } from './reading/read-file.ts'
import { type MimeType, ReadingError } from './reading/reading.ts'
import { storeEntries } from './source/entries.ts'
import { readParts } from './source/file-parts.ts'

/** Files read at a time in a process: each takes a thread. */
const PARALLEL = 2
/** API keys whose turns are remembered. */
const MOST_TURNS = 1_000
/** Longer than reading and storing takes, so that a file is read by one process. */
const LEASE_MS = 120_000
/** After so many attempts, the file is given up: its processes died, or the database failed again and again. */
const MOST_ATTEMPTS = 4
const EVERY_MS = 60_000
/** How long an upload is kept that nobody ingests. */
const KEPT_MS = DAY_MS

interface Claimed {
  apiKey: string
  key: string
  sourceId: string
  mimeType: MimeType
  attempt: number
}

/**
 * Reads the files of knowledge sources in threads of their own, and stores their text, chunks and rules. A file whose
 * process dies is claimed again. Uploads that nobody ingests are deleted after a day.
 *
 * Of an API key a process reads one file at a time, and API keys take turns. So a key with many files, or with files
 * that take as long as they may, leaves a thread to the others.
 */
export const knowledgeReading = (context: Pick<WorkerContext, 'db' | 'reads' | 'services'>, read = readFile): Source =>
  new Reading(context, read)

/** A file that is being read, and whether another was read meanwhile. */
interface Read {
  apiKey: string
  isAlone: boolean
}

class Reading implements Source {
  readonly name = 'knowledge'
  readonly #context: Pick<WorkerContext, 'db' | 'reads' | 'services'>
  readonly #read: typeof readFile
  readonly #reading = new InProgress<Read>()
  /** Files that another may have spoiled. Each is read again, alone: then it answers for itself. */
  readonly #suspects: Claimed[] = []
  /** The API keys whose files were read last, the latest at the end. */
  readonly #turns = new Set<string>()
  #pruneAt = 0
  #schedule: (inMs: number) => void = () => {}

  constructor(context: Pick<WorkerContext, 'db' | 'reads' | 'services'>, read: typeof readFile) {
    this.#context = context
    this.#read = read
  }

  async work(schedule: (inMs: number) => void): Promise<number> {
    this.#schedule = schedule
    const { db, services } = this.#context
    const now = services.clock.now()
    if (now >= this.#pruneAt) {
      await prune(db, now - KEPT_MS)
      this.#pruneAt = now + EVERY_MS
    }
    schedule(this.#pruneAt - now)
    if (this.#suspects.length > 0) return this.#readSuspect()
    let claimed = 0
    while (this.#reading.size < PARALLEL) {
      const busy = [...this.#reading.items()].map(({ apiKey }) => apiKey)
      const next = await claim(db, { now, busy, turns: [...this.#turns] })
      if (!next) break
      claimed++
      this.#start(next)
    }
    return claimed
  }

  due(): Sql {
    return sql`exists (select from ${dueFiles(this.#context.services.clock.now())})`
  }

  async backlog(from: Db, now: number): Promise<Backlog[]> {
    return [await measureBacklog(from, 'knowledge', dueFiles(now))]
  }

  settle(): Promise<number> {
    return this.#reading.settle()
  }

  /** Its lease is long enough for both readings. */
  #readSuspect(): number {
    if (this.#reading.size > 0) return 0
    const suspect = this.#suspects.shift()
    if (suspect) this.#start(suspect)
    return suspect ? 1 : 0
  }

  #start(claim: Claimed): void {
    const { apiKey } = claim
    this.#takeTurn(apiKey)
    for (const other of this.#reading.items()) other.isAlone = false
    const read = { apiKey, isAlone: this.#reading.size === 0 }
    const reading = this.#readOne(claim, read).catch((error: unknown) => {
      this.#context.services.log.error({ err: error, attempt: claim.attempt }, 'a knowledge file was not read')
    })
    this.#reading.add(read, reading, () => this.#schedule(0))
  }

  #takeTurn(apiKey: string): void {
    this.#turns.delete(apiKey)
    this.#turns.add(apiKey)
    const [first] = this.#turns
    if (first !== undefined && this.#turns.size > MOST_TURNS) this.#turns.delete(first)
  }

  async #readOne(claim: Claimed, reading: Read): Promise<void> {
    const { db, reads, services } = this.#context
    const { clock, log, metrics } = services
    try {
      if (claim.attempt > MOST_ATTEMPTS) throw new ReadingError('file-unreadable')
      const parts: Uint8Array[] = []
      for await (const part of readParts(reads, claim, claim.key)) parts.push(part)
      const text = await this.#read({ bytes: new Uint8Array(Buffer.concat(parts)), mimeType: claim.mimeType })
      await storeEntries(db, claim, claim, text.entries, isHeld(claim))
      await complete(db, claim, text)
      metrics.knowledgeFiles.inc({ outcome: 'read' })
    } catch (error) {
      if (error instanceof ReadingError) {
        if (!reading.isAlone && mayBeOfAnother(error)) {
          this.#suspects.push(claim)
          return
        }
        metrics.knowledgeFiles.inc({ outcome: 'failed' })
        await fail(db, claim, error.reason)
        return
      }
      metrics.knowledgeFiles.inc({ outcome: 'retried' })
      log.warn({ err: error, attempt: claim.attempt }, 'a knowledge file was not stored')
      await postpone(db, claim, clock.now() + 1_000 * 2 ** claim.attempt)
    }
  }
}

/** The files to read now, as what follows `from`. */
const dueFiles = (now: number): Sql => sql`
  (
    select due_at as at
    from knowledge_source
    where status = 'processing' and dedup_of is null and due_at <= ${now}::bigint
  ) due`

/**
 * Claims the oldest file of the API key whose turn it is: of one that is not in `turns`, else of the first there; of
 * none that is `busy`.
 */
async function claim(
  db: Db,
  { now, busy, turns }: { now: number; busy: string[]; turns: string[] },
): Promise<Claimed | undefined> {
  const [claimed] = await db.query<Claimed>(sql`
    update knowledge_source s
    set attempt = attempt + 1, due_at = ${now + LEASE_MS}::bigint
    where (s.api_key, s.key) in (
      select api_key, key
      from knowledge_source
      where status = 'processing' and dedup_of is null and due_at <= ${now}::bigint
        and api_key <> all(${busy}::text[])
      order by coalesce(array_position(${turns}::text[], api_key), 0), due_at, uploaded_at
      limit 1
      for update skip locked
    )
    returning s.api_key as "apiKey", s.key, s.source_id as "sourceId", s.mime_type as "mimeType", s.attempt`)
  return claimed
}

/**
 * Whether the file is still this process's to read. A process that was suspended for longer than its lease must not
 * overwrite what another has stored meanwhile, or an update since.
 */
const isHeld = ({ apiKey, key, attempt }: Claimed): Sql => sql`
  exists (
    select from knowledge_source h
    where h.api_key = ${apiKey} and h.key = ${key}::uuid and h.status = 'processing' and h.attempt = ${attempt}::int
    for share
  )`

async function complete(db: Db, claim: Claimed, { markdown, usedRawFallback, entries }: FileText): Promise<void> {
  const rules = entries.filter(({ kind }) => kind === 'rule').length
  await change(
    db,
    claim,
    sql`
    status = 'completed', markdown = ${markdown}, used_raw_fallback = ${usedRawFallback}, rule_count = ${rules}::int,
    chunk_count = ${entries.length - rules}::int, next_position = ${entries.length}::int, updated_at = now_ms()`,
  )
}

function fail(db: Db, claim: Claimed, reason: string): Promise<void> {
  return change(db, claim, sql`status = 'failed', failure_reason = ${reason}, updated_at = now_ms()`)
}

function postpone(db: Db, claim: Claimed, dueAt: number): Promise<void> {
  return change(db, claim, sql`due_at = ${dueAt}::bigint`)
}

/** Changes the source, if its file is still this process's to read. */
async function change(db: Db, { apiKey, key, attempt }: Claimed, set: Sql): Promise<void> {
  await db.query(sql`
    update knowledge_source
    set ${set}
    where api_key = ${apiKey} and key = ${key}::uuid and status = 'processing' and attempt = ${attempt}::int`)
}

async function prune(db: Db, before: number): Promise<void> {
  await db.query(sql`
    delete from knowledge_source s
    where (s.api_key, s.key) in (
      select k.id, o.key
      from api_key k
      cross join lateral (
        select key
        from knowledge_source
        where api_key = k.id and status in ('awaited', 'uploaded') and expires_at < ${before}::bigint
      ) o
    )`)
}
