import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { type Db, json, sql } from '../../platform/db/db.ts'
import { type Static, Type } from '../../platform/schema.ts'

/** One administrative change. */
export const AuditRecord = Type.Object({
  seq: Type.Integer({ description: 'Counts from 1 without gaps.' }),
  at: Type.Integer({ description: 'By the database, in epoch milliseconds.' }),
  actor: Type.String({ description: 'Address of the operator, or the workspace or API key that called.' }),
  role: Type.String(),
  door: Type.String({ description: 'How it came: `console`, `api` or `command`.' }),
  address: Type.String({ description: 'Network address of the caller; empty for a command.' }),
  action: Type.String({ description: 'Path of the operation.' }),
  workspaceId: Type.Union([Type.String(), Type.Null()]),
  apiKey: Type.Union([Type.String(), Type.Null()]),
  detail: Type.Record(Type.String(), Type.Unknown(), { description: 'What was sent, without secrets.' }),
  hash: Type.String({ description: 'SHA-256 over the record and the hash of the record before, hexadecimal.' }),
})

export type AuditRecord = Static<typeof AuditRecord>
type Draft = Omit<AuditRecord, 'seq' | 'at' | 'hash'>

/** What the first record continues. */
const GENESIS = ''

/** Appends a record to the chain. Others wait until the transaction ends, so that none is lost. */
export async function appendAudit(db: Db, draft: Draft): Promise<void> {
  await db.query(sql`select pg_advisory_xact_lock(hashtextextended('audit_record', 0))`)
  const [head] = await db.query<{ seq: number; hash: string | null; at: number }>(sql`
    select now_ms() as at, coalesce(max(seq), 0) as seq,
      (select hash from audit_record order by seq desc limit 1) as hash
    from audit_record`)
  const previous = head?.hash ?? GENESIS
  const record = { ...draft, seq: (head?.seq ?? 0) + 1, at: head?.at ?? 0 }
  const { seq, at, actor, role, door, address, action, workspaceId, apiKey, detail } = record
  await db.query(sql`
    insert into audit_record (
      seq, at, actor, role, door, address, action, workspace_id, about_key, detail, previous, hash)
    values (
      ${seq}, ${at}, ${actor}, ${role}, ${door}, ${address}, ${action}, ${workspaceId}, ${apiKey},
      ${json(detail)}, ${previous}, ${hashOf(previous, record)})`)
}

const hashOf = (previous: string, record: Omit<AuditRecord, 'hash'>): string =>
  hash('sha256', `${previous}\n${canonicalize(record)}`, 'hex')

const COLUMNS = sql`
  seq, at, actor, role, door, address, action, workspace_id as "workspaceId", about_key as "apiKey", detail, hash`

interface Filters {
  /** Null: of all workspaces and of the installation. */
  workspaceId: string | null
  actor?: string | undefined
  action?: string | undefined
  apiKey?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

/** At most `limit` records that match, the newest first, older than the record `before`. */
export function listAudit(db: Db, filters: Filters, before: number, limit: number): Promise<AuditRecord[]> {
  const { workspaceId, actor = null, action = null, apiKey = null, from = null, to = null } = filters
  return db.query<AuditRecord>(sql`
    select ${COLUMNS}
    from audit_record
    where seq < ${before}::bigint
      and (${workspaceId}::text is null or workspace_id = ${workspaceId})
      and (${actor}::text is null or lower(actor) = lower(${actor}))
      and (${action}::text is null or action = ${action})
      and (${apiKey}::text is null or about_key = ${apiKey})
      and (${from}::bigint is null or at >= ${from}) and (${to}::bigint is null or at < ${to})
    order by seq desc
    limit ${limit}`)
}

interface Verdict {
  valid: boolean
  records: number
  /** The hash of the last record: kept elsewhere, it shows later whether the end was cut off. */
  head: string
  /** The first record that does not fit. */
  brokenAt: number | null
}

const BATCH = 1000

/** Recomputes the chain, batch by batch. */
export async function verifyAudit(db: Db): Promise<Verdict> {
  let [records, head] = [0, GENESIS]
  while (true) {
    const rows = await db.query<AuditRecord & { previous: string }>(sql`
      select ${COLUMNS}, previous from audit_record where seq > ${records} order by seq limit ${BATCH}`)
    for (const { previous, hash, ...record } of rows) {
      const fits = record.seq === records + 1 && previous === head && hash === hashOf(previous, record)
      if (!fits) return { valid: false, records, head, brokenAt: record.seq }
      records = record.seq
      head = hash
    }
    if (rows.length < BATCH) return { valid: true, records, head, brokenAt: null }
  }
}
