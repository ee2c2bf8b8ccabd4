import { type Db, type Sql, sql } from '../../platform/db/db.ts'
import type { Page, Stream } from '../../platform/operation.ts'
import { type Cut, pageOf, withinBytes } from '../../platform/page.ts'
import type { PageTokens } from '../../platform/page-token.ts'
import { oneOf, type Static, Type, timestamp } from '../../platform/schema.ts'
import { csvRow } from '../activities/csv.ts'
import { AUDIT_COLUMNS, AuditRecord } from './audit.ts'

const filterFields = {
  actor: Type.Optional(
    Type.String({ maxLength: 320, description: 'Address of an operator, id of a workspace, or an API key.' }),
  ),
  action: Type.Optional(Type.String({ maxLength: 200, description: 'Path of an operation, or a command.' })),
  apiKey: Type.Optional(Type.String({ maxLength: 64, description: 'The API key that the change is about.' })),
  from: Type.Optional(timestamp('Epoch milliseconds.')),
  to: Type.Optional(timestamp('Epoch milliseconds, exclusive.')),
}

/** Which records of a workspace to read. */
export const WorkspaceAuditFilters = Type.Object(filterFields)

/** Which records of all workspaces to read. */
export const AuditFilters = Type.Object({
  ...filterFields,
  workspaceId: Type.Optional(Type.String({ maxLength: 64, description: 'The workspace that the change is about.' })),
})
export type AuditFilters = Static<typeof AuditFilters>

/** The fields of a list of records. */
export const auditPageFields = {
  pageSize: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: 50, description: 'How many records a page has at most.' }),
  ),
  pageToken: Type.Optional(Type.String({ description: 'The `nextPageToken` of the page before.' })),
}

/** The format of an export of records. */
export const AuditFormat = oneOf(['ndjson', 'csv'], 'One JSON document per line, or comma-separated values.')

interface Asked {
  filters: AuditFilters
  pageSize?: number | undefined
  pageToken?: string | undefined
}

/**
 * The records that match, the newest first; a page holds PAGE_LIMIT_BYTES at most. `operation` and `tenant` are what a
 * page token is good for.
 */
export async function pageOfAudit(
  { db, pageTokens, config }: { db: Db; pageTokens: PageTokens; config: { pageLimitBytes: number } },
  { filters, pageSize = 50, pageToken }: Asked,
  about: { operation: string; tenant: string },
): Promise<Page<AuditRecord[]>> {
  const scope = { ...about, filters }
  const before = pageToken === undefined ? Number.MAX_SAFE_INTEGER : Number(pageTokens.open(scope, pageToken))
  const rows = await db.query<AuditRecord & Cut>(
    withinBytes(selectAudit(filters, before, pageSize + 1), sql`seq desc`, config.pageLimitBytes),
  )
  const { page, last } = pageOf(rows, pageSize)
  return { data: page.map(toRecord), next: last ? pageTokens.seal(scope, last.seq) : null }
}

/** The declared fields: a row of a page has others. */
const toRecord = (row: AuditRecord): AuditRecord =>
  Object.fromEntries(
    Object.keys(AuditRecord.properties).map((name) => [name, row[name as keyof AuditRecord]]),
  ) as AuditRecord

/** SQL: at most `limit` records that match, the newest first, older than the record `before`, with their sizes. */
const selectAudit = (filters: AuditFilters, before: number, limit: number): Sql => sql`
    select ${AUDIT_COLUMNS}, octet_length(concat(detail, before, after)) + 500 as size
    from audit_record
    where seq < ${before}::bigint and ${matches(filters)}
    order by seq desc
    limit ${limit}`

const matches = ({ workspaceId, actor, action, apiKey, from, to }: AuditFilters): Sql => sql`
      (${workspaceId ?? null}::text is null or workspace_id = ${workspaceId ?? null})
      and (${actor ?? null}::text is null or lower(actor) = lower(${actor ?? null}))
      and (${action ?? null}::text is null or action = ${action ?? null})
      and (${apiKey ?? null}::text is null or about_key = ${apiKey ?? null})
      and (${from ?? null}::bigint is null or at >= ${from ?? null})
      and (${to ?? null}::bigint is null or at < ${to ?? null})`

const BATCH = 100

/**
 * The records that match as lines, the oldest first. The last line counts them: a download without it is incomplete.
 */
export function streamOfAudit(db: Db, filters: AuditFilters, format: 'ndjson' | 'csv'): Stream {
  const batches = read(db, filters)
  return format === 'csv'
    ? { contentType: 'text/csv; charset=utf-8', chunks: csvLines(batches) }
    : { contentType: 'application/x-ndjson; charset=utf-8', chunks: jsonLines(batches) }
}

/** Reads the records in batches, each after the one before it was sent. */
async function* read(db: Db, filters: AuditFilters): AsyncGenerator<AuditRecord[]> {
  for (let after = 0; ; ) {
    const records = await db.query<AuditRecord>(sql`
      select ${AUDIT_COLUMNS} from audit_record
      where seq > ${after}::bigint and ${matches(filters)}
      order by seq
      limit ${BATCH}`)
    if (records.length > 0) yield records
    if (records.length < BATCH) return
    after = records.at(-1)?.seq ?? after
  }
}

async function* jsonLines(batches: AsyncIterable<AuditRecord[]>): AsyncGenerator<string> {
  let count = 0
  for await (const records of batches) {
    count += records.length
    yield records.map((record) => `${JSON.stringify(record)}\n`).join('')
  }
  yield `${JSON.stringify({ kind: 'end', records: count })}\n`
}

const FIELDS = Object.keys(AuditRecord.properties) as (keyof AuditRecord)[]

async function* csvLines(batches: AsyncIterable<AuditRecord[]>): AsyncGenerator<string> {
  let count = 0
  yield csvRow(FIELDS)
  for await (const records of batches) {
    count += records.length
    yield records.map((record) => csvRow(FIELDS.map((field) => cellOf(record, field)))).join('')
  }
  yield csvRow(['end', count])
}

/** Times in ISO-8601, values in JSON. */
function cellOf(record: AuditRecord, field: keyof AuditRecord): string | number | null {
  const value = record[field]
  if (field === 'at') return new Date(record.at).toISOString()
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
