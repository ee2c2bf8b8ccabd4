import type { Db } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { oneOf, Type } from '../../platform/schema.ts'
import { csvRow } from '../activities/csv.ts'
import { AuditFilters, AuditRecord, readAudit } from './audit.ts'
import { sessionOf } from './session.ts'

const BATCH = 500

/** Streams the audit records that the session reaches, the oldest first. The export leaves a record of its own. */
export const exportAuditRecords = operation({
  path: '/console/api/audit/export',
  auth: 'none',
  access: 'read',
  administers: true,
  summary: 'Export the audit records',
  description:
    'Streams the records that match as lines, the oldest first. NDJSON holds all that the hashes cover. The last line ' +
    'counts the records; a download without it is incomplete.',
  input: Type.Object({
    format: oneOf(['ndjson', 'csv'], 'One JSON document per line, or comma-separated values.'),
    filters: Type.Optional(AuditFilters),
  }),
  output: null,
  stream: ['application/x-ndjson', 'text/csv'],
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'NOT_FOUND'],
  message: 'Audit records exported.',
}).run(async ({ db, request, input: { format, filters = {} } }) => {
  const { workspaceId: only } = sessionOf({ session: request.console?.session })
  if (only !== null && filters.workspaceId !== undefined && filters.workspaceId !== only) {
    throw new ApiError('NOT_FOUND', 'Workspace not found.')
  }
  const batches = read(db, only === null ? filters : { ...filters, workspaceId: only })
  return format === 'csv'
    ? { contentType: 'text/csv; charset=utf-8', chunks: csvLines(batches) }
    : { contentType: 'application/x-ndjson; charset=utf-8', chunks: jsonLines(batches) }
})

/** Reads the records in batches, each after the one before it was sent. */
async function* read(db: Db, filters: AuditFilters): AsyncGenerator<AuditRecord[]> {
  for (let after = 0; ; ) {
    const records = await readAudit(db, filters, after, BATCH)
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

const COLUMNS = Object.keys(AuditRecord.properties) as (keyof AuditRecord)[]

async function* csvLines(batches: AsyncIterable<AuditRecord[]>): AsyncGenerator<string> {
  let count = 0
  yield csvRow(COLUMNS)
  for await (const records of batches) {
    count += records.length
    yield records.map((record) => csvRow(COLUMNS.map((column) => cellOf(record, column)))).join('')
  }
  yield csvRow(['end', count])
}

/** Times in ISO-8601, values in JSON. */
function cellOf(record: AuditRecord, column: keyof AuditRecord): string | number | null {
  const value = record[column]
  if (column === 'at') return new Date(record.at).toISOString()
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
