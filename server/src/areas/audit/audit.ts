import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { type Db, json, sql } from '../../platform/db/db.ts'
import { lockByName } from '../../platform/db/list-lock.ts'
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

/** What the first record of a chain continues: nothing. */
export const GENESIS = ''

/**
 * Appends a record to the chain of its workspace, or of the installation. Others that append to the same chain wait
 * until the transaction ends, so call it last.
 */
export async function appendAudit(db: Db, draft: AuditDraft): Promise<void> {
  const chain = draft.workspaceId ?? ''
  await lockByName(db, `audit_record ${chain}`)
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

/** The hash of a record, which covers the hash of the one before. */
export const hashOf = (previous: string, record: object): string =>
  hash('sha256', `${previous}\n${canonicalize(record)}`, 'hex')

/** The fields of a record, as they are stored. */
export const AUDIT_COLUMNS = sql`
  seq, chain, coalesce(position, seq) as position, at, actor, role, door, address, request_id as "requestId", action,
  workspace_id as "workspaceId", about_key as "apiKey", detail, before, after, hash`
