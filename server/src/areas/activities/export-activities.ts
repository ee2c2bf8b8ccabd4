import type { ApiKeyTenant } from '../../platform/context.ts'
import { DateRange, dateRangeIssues, endsOf } from '../../platform/date-range.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, oneOf, Type } from '../../platform/schema.ts'
import { requireOrganization } from '../organizations/organization.ts'
import { CSV_HEADER, csvOf, jsonOf } from './export-format.ts'
import { type Head, readHead } from './log/head.ts'
import { readEntries, type StoredEntry } from './log/stored-entry.ts'

/** Streams all entries of a log: versions, deletions and erasures, and last the head of the chain. */
export const exportActivities = operation({
  path: '/v2/activities/export',
  auth: 'apiKey',
  access: 'read',
  administers: true,
  summary: 'Export the activity log',
  description:
    'Streams the entries of the log as lines: every version of every record, deletions and erasures, by position. The ' +
    'last line, of kind `head`, holds the number of entries and the hash of the last one; a download that lacks it is ' +
    'incomplete. NDJSON holds all that is needed to recompute the chain.',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    format: oneOf(['ndjson', 'csv'], 'One JSON document per line, or comma-separated values.'),
    dateRange: Type.Optional(DateRange),
  }),
  example: { organizationId: 'example', format: 'csv' },
  output: null,
  stream: ['application/x-ndjson', 'text/csv'],
  errors: ['NOT_FOUND'],
  message: 'Activity log exported.',
  check: ({ dateRange }) => dateRangeIssues(dateRange, 'dateRange'),
}).run(async ({ db, tenant, input }) => {
  const { organizationId: id, format, dateRange = {} } = input
  const { key } = await requireOrganization(db, tenant, id)
  const head = await readHead(db, tenant, { key, id })
  const batches = read(db, tenant, key, { ...endsOf(dateRange), count: head.count })
  return format === 'csv'
    ? { contentType: 'text/csv; charset=utf-8', chunks: csvLines(batches, head) }
    : { contentType: 'application/x-ndjson; charset=utf-8', chunks: jsonLines(batches, head) }
})

type Batches = AsyncIterable<StoredEntry[]>

/** Reads the entries of a time range up to the head, in batches. Each batch is read after the previous one was sent. */
async function* read(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  { start, end, count }: { start: number; end: number; count: number },
): Batches {
  for (let after = 0; ; ) {
    const condition = sql`position > ${after} and position <= ${count} and at >= ${start} and at <= ${end}`
    const entries = await readEntries(db, tenant, organizationKey, condition)
    if (entries.length === 0) return
    yield entries
    after = entries.at(-1)?.position ?? count
  }
}

async function* jsonLines(batches: Batches, head: Head): AsyncGenerator<string> {
  for await (const entries of batches) yield entries.map((entry) => `${JSON.stringify(jsonOf(entry))}\n`).join('')
  yield `${JSON.stringify({ kind: 'head', ...head })}\n`
}

async function* csvLines(batches: Batches, { count, hash }: Head): AsyncGenerator<string> {
  yield CSV_HEADER
  for await (const entries of batches) yield entries.map(csvOf).join('')
  yield csvOf({ position: count, kind: 'head', hash })
}
