import type { WorkerContext } from '../../platform/context.ts'
import { DAY_MS } from '../../platform/date-range.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'
import { measureBacklog } from '../../platform/work/backlog.ts'
import type { Source } from '../../platform/work/worker.ts'
import { type FileText, mayBeOfAnother, readFile } from './reading/read-file.ts'
import { type MimeType, ReadingError } from './reading/reading.ts'
import { storeEntries } from './source/entries.ts'
import { readParts } from './source/file-parts.ts'

/** Files read at a time in a process: each takes a thread. */
const PARALLEL = 2
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
 */
export function knowledgeReading(
  { db, reads, services }: Pick<WorkerContext, 'db' | 'reads' | 'services'>,
  read = readFile,
): Source {
  const { clock, log, metrics } = services
  let pruneAt = 0

  /** Rejects only for a file that is read beside another, which may be why it was given up. */
  async function readOne(claim: Claimed, isAlone: boolean): Promise<void> {
    try {
      if (claim.attempt > MOST_ATTEMPTS) throw new ReadingError('file-unreadable')
      const parts: Uint8Array[] = []
      for await (const part of readParts(reads, claim, claim.key)) parts.push(part)
      const text = await read({ bytes: new Uint8Array(Buffer.concat(parts)), mimeType: claim.mimeType })
      await storeEntries(db, claim, claim, text.entries, isHeld(claim))
      await complete(db, claim, text)
      metrics.knowledgeFiles.inc({ outcome: 'read' })
    } catch (error) {
      if (error instanceof ReadingError) {
        if (!isAlone && mayBeOfAnother(error)) throw error
        metrics.knowledgeFiles.inc({ outcome: 'failed' })
        await fail(db, claim, error.reason)
        return
      }
      metrics.knowledgeFiles.inc({ outcome: 'retried' })
      log.warn({ err: error, attempt: claim.attempt }, 'a knowledge file was not stored')
      await postpone(db, claim, clock.now() + 1_000 * 2 ** claim.attempt)
    }
  }

  return {
    name: 'knowledge',
    async work(schedule) {
      const now = clock.now()
      if (now >= pruneAt) {
        await prune(db, now - KEPT_MS)
        pruneAt = now + EVERY_MS
      }
      schedule(pruneAt - now)
      const claimed = await claim(db, now)
      const outcomes = await Promise.allSettled(claimed.map((each) => readOne(each, claimed.length === 1)))
      // Alone, a file answers for itself. The lease is long enough for both.
      for (const [index, { status }] of outcomes.entries()) {
        const again = claimed[index]
        if (status === 'rejected' && again) await readOne(again, true)
      }
      return claimed.length
    },
    due: () => sql`exists (select from ${dueFiles(clock.now())})`,
    backlog: async (from, now) => [await measureBacklog(from, 'knowledge', dueFiles(now))],
  }
}

/** The files to read now, as what follows `from`. */
const dueFiles = (now: number): Sql => sql`
  (
    select due_at as at
    from knowledge_source
    where status = 'processing' and dedup_of is null and due_at <= ${now}::bigint
  ) due`

/** Claims the oldest files. API keys take turns: the files of one, each of which may take the deadline, delay no other's. */
function claim(db: Db, now: number): Promise<Claimed[]> {
  return db.query<Claimed>(sql`
    update knowledge_source s
    set attempt = attempt + 1, due_at = ${now + LEASE_MS}::bigint
    where (s.api_key, s.key) in (
      select o.api_key, o.key
      from (
        select api_key, key, due_at, uploaded_at,
          row_number() over (partition by api_key order by due_at, uploaded_at) as position
        from knowledge_source
        where status = 'processing' and dedup_of is null and due_at <= ${now}::bigint
      ) due
      join knowledge_source o on o.api_key = due.api_key and o.key = due.key
      where o.status = 'processing' and o.due_at <= ${now}::bigint
      order by due.position, due.due_at, due.uploaded_at
      limit ${PARALLEL}
      for update of o skip locked
    )
    returning s.api_key as "apiKey", s.key, s.source_id as "sourceId", s.mime_type as "mimeType", s.attempt`)
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
