import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { type Db, json, type Sql, sql } from '../../platform/db/db.ts'
import { nullable, type Static, Type } from '../../platform/schema.ts'

const Values = Type.Record(Type.String(), Type.Unknown())

/** One administrative change. */
export const AuditRecord = Type.Object({
  seq: Type.Integer({ description: 'Its number. Later records have higher ones; some are missing.' }),
  chain: Type.String({
    description: 'Id of the workspace whose chain it is in; empty: the chain of the installation.',
  }),
  position: Type.Integer({ description: 'Its place in the chain, from 1 without gaps.' }),
  at: Type.Integer({ description: 'By the database, in epoch milliseconds.' }),
  actor: Type.String({
    description: 'Address of the operator, id of the workspace or API key that called, or the user of the machine.',
  }),
  role: Type.String({ description: 'Role of the operator; `workspace`, `apiKey` or `machine` for other callers.' }),
  door: Type.String({ description: 'How it came: `console`, `api`, `command` or `start`.' }),
  address: Type.String({ description: 'Network address of the caller; empty for a command.' }),
  requestId: nullable(Type.String({ description: 'The `x-request-id` of the call; null for a command.' })),
  action: Type.String({ description: 'Path of the operation, or the command.' }),
  workspaceId: nullable(Type.String()),
  apiKey: nullable(Type.String()),
  detail: Type.Record(Type.String(), Type.Unknown(), { description: 'What was sent, without secrets.' }),
  before: nullable(Values),
  after: nullable(Values),
  hash: Type.String({ description: 'SHA-256 over the record and the hash of the record before, hexadecimal.' }),
})

export type AuditRecord = Static<typeof AuditRecord>

/** A record before it has its place. */
export type AuditDraft = Omit<AuditRecord, 'seq' | 'chain' | 'position' | 'at' | 'hash' | Recent> &
  Partial<Pick<AuditRecord, Recent>>
type Recent = 'requestId' | 'before' | 'after'

/** What the first record of a chain continues. */
const GENESIS = ''

/**
 * Appends a record to the chain of its workspace, or of the installation. Others that append to the same chain wait until
 * the transaction ends, so call it last.
 */
export async function appendAudit(db: Db, draft: AuditDraft): Promise<void> {
  const chain = draft.workspaceId ?? ''
  await db.query(sql`select pg_advisory_xact_lock(hashtextextended(${`audit_record ${chain}`}, 0))`)
  const [place] = await db.query<{ seq: number; at: number; position: number | null; hash: string | null }>(sql`
    select nextval('audit_record_seq') as seq, now_ms() as at, h.position, h.hash
    from (select) one
    left join (
      select coalesce(position, seq) as position, hash
      from audit_record
      where chain = ${chain}
      order by coalesce(position, seq) desc
      limit 1
    ) h on true`)
  if (!place) throw new Error('The chain has no end.')
  const previous = place.hash ?? GENESIS
  const position = (place.position ?? 0) + 1
  const recent = { requestId: draft.requestId ?? null, before: draft.before ?? null, after: draft.after ?? null }
  const record = { ...draft, ...recent, chain, position, seq: place.seq, at: place.at }
  const { actor, role, door, address, action, workspaceId, apiKey, detail, requestId, before, after } = record
  await db.query(sql`
    insert into audit_record (
      seq, chain, position, at, actor, role, door, address, request_id, action, workspace_id, about_key, detail,
      before, after, previous, hash)
    values (
      ${place.seq}, ${chain}, ${position}, ${place.at}, ${actor}, ${role}, ${door}, ${address}, ${requestId},
      ${action}, ${workspaceId}, ${apiKey}, ${json(detail)}, ${before && json(before)}, ${after && json(after)},
      ${previous}, ${hashOf(previous, record)})`)
}

const hashOf = (previous: string, record: object): string =>
  hash('sha256', `${previous}\n${canonicalize(record)}`, 'hex')

const COLUMNS = sql`
  seq, chain, coalesce(position, seq) as position, at, actor, role, door, address, request_id as "requestId", action,
  workspace_id as "workspaceId", about_key as "apiKey", detail, before, after, hash`

/** Which records to read. */
export const AuditFilters = Type.Object({
  actor: Type.Optional(Type.String({ maxLength: 320, description: 'Address of an operator, or who else called.' })),
  action: Type.Optional(Type.String({ maxLength: 200, description: 'Path of an operation.' })),
  workspaceId: Type.Optional(Type.String({ maxLength: 64 })),
  apiKey: Type.Optional(Type.String({ maxLength: 64 })),
  from: Type.Optional(Type.Integer({ minimum: 0, description: 'Epoch milliseconds.' })),
  to: Type.Optional(Type.Integer({ minimum: 0, description: 'Epoch milliseconds, exclusive.' })),
})
export type AuditFilters = Static<typeof AuditFilters>

/** At most `limit` records that match, the newest first, older than the record `before`. */
export const listAudit = (db: Db, filters: AuditFilters, before: number, limit: number): Promise<AuditRecord[]> =>
  db.query<AuditRecord>(sql`
    select ${COLUMNS} from audit_record
    where seq < ${before}::bigint and ${matches(filters)}
    order by seq desc
    limit ${limit}`)

/** At most `limit` records that match, the oldest first, newer than the record `after`. */
export const readAudit = (db: Db, filters: AuditFilters, after: number, limit: number): Promise<AuditRecord[]> =>
  db.query<AuditRecord>(sql`
    select ${COLUMNS} from audit_record
    where seq > ${after}::bigint and ${matches(filters)}
    order by seq
    limit ${limit}`)

const matches = ({ workspaceId, actor, action, apiKey, from, to }: AuditFilters): Sql => sql`
      (${workspaceId ?? null}::text is null or workspace_id = ${workspaceId ?? null})
      and (${actor ?? null}::text is null or lower(actor) = lower(${actor ?? null}))
      and (${action ?? null}::text is null or action = ${action ?? null})
      and (${apiKey ?? null}::text is null or about_key = ${apiKey ?? null})
      and (${from ?? null}::bigint is null or at >= ${from ?? null})
      and (${to ?? null}::bigint is null or at < ${to ?? null})`

interface Verdict {
  valid: boolean
  records: number
  chains: number
  /** The hash of the last record of the last chain: kept elsewhere, it shows later whether the end was cut off. */
  head: string
  /** The number of the first record that does not fit. */
  brokenAt: number | null
}

const BATCH = 1000

/** Recomputes the chain of a workspace, of the installation (''), or all of them (null), batch by batch. */
export async function verifyAudit(db: Db, only: string | null): Promise<Verdict> {
  const verdict: Verdict = { valid: true, records: 0, chains: 0, head: GENESIS, brokenAt: null }
  let [chain, position] = ['', 0]
  while (true) {
    const rows = await db.query<AuditRecord & { previous: string; isEarlier: boolean }>(sql`
      select ${COLUMNS}, previous, position is null as "isEarlier" from audit_record
      where (chain, coalesce(position, seq)) > (${chain}, ${position}::bigint)
        and (${only}::text is null or chain = ${only})
      order by chain, coalesce(position, seq)
      limit ${BATCH}`)
    for (const { previous, hash, isEarlier, ...record } of rows) {
      const isNext = verdict.chains > 0 && record.chain === chain
      const [place, head] = isNext ? [position + 1, verdict.head] : [1, GENESIS]
      const hashed = isEarlier ? earlierForm(record) : record
      const fits = record.position === place && previous === head && hash === hashOf(previous, hashed)
      if (!fits) return { ...verdict, valid: false, brokenAt: record.seq }
      if (!isNext) verdict.chains += 1
      verdict.records += 1
      verdict.head = hash
      chain = record.chain
      position = record.position
    }
    if (rows.length < BATCH) return verdict
  }
}

/** What the hash of a record covers that was written before there were chains. */
function earlierForm({
  chain: _,
  position: __,
  requestId: ___,
  before: ____,
  after: _____,
  ...record
}: Omit<AuditRecord, 'hash'>) {
  return record
}
