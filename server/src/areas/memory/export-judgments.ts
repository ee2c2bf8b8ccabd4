import { DateRange, dateRangeIssues } from '../../platform/date-range.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { listCondition } from './judgment/direct-read.ts'
import { type JudgmentItem, readJudgmentItems } from './judgment/judgment-item.ts'
import { filterInput, placeInput, placeIssues } from './judgment/scope.ts'

/**
 * Streams judgments as lines, each an item for `judgments/add`. Adding them again, here or elsewhere, loses nothing.
 */
export const exportJudgments = operation({
  path: '/v2/memory/judgments/export',
  auth: 'apiKey',
  access: 'read',
  administers: true,
  summary: 'Export judgments',
  description:
    'Streams judgments as NDJSON in no particular order, each line an item that `judgments/add` takes: adding them, to ' +
    'this or another API key, restores them with their ids and times. Judgments that are written meanwhile may be ' +
    'among them or not.',
  input: Type.Object({ ...placeInput, ...filterInput, dateRange: Type.Optional(DateRange) }),
  example: { organizationId: 'example', side: 'reject' },
  output: null,
  stream: ['application/x-ndjson'],
  errors: [],
  message: 'Judgments exported.',
  check: ({ annotationId, dateRange, ...ids }) => [
    ...placeIssues(ids, annotationId),
    ...dateRangeIssues(dateRange, 'dateRange'),
  ],
}).run(async ({ db, tenant, input }) => {
  const batches = readJudgmentItems(db, tenant, listCondition(tenant, input))
  return { contentType: 'application/x-ndjson; charset=utf-8', chunks: linesOf(batches) }
})

async function* linesOf(batches: AsyncIterable<JudgmentItem[]>): AsyncGenerator<string> {
  for await (const items of batches) yield items.map((item) => `${JSON.stringify(item)}\n`).join('')
}
