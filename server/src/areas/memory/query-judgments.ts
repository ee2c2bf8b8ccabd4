import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { listCondition } from './judgment/direct-read.ts'
import { Judgment, limitField, readJudgments } from './judgment/judgment.ts'
import { filterInput, placeInput, placeIssues } from './judgment/scope.ts'

/** Lists judgments, newest first. Of one thread it lists the newest `limit`, oldest first. */
export const queryJudgments = operation({
  path: '/v2/memory/judgments/query',
  auth: 'apiKey',
  access: 'read',
  large: true,
  summary: 'List judgments',
  input: Type.Object({
    ...placeInput,
    ...filterInput,
    recordIds: Type.Optional(
      Type.Array(identifier('Id of a judgment.'), { description: 'Only these judgments, such as those of an alert.' }),
    ),
    includeContent: Type.Optional(Type.Boolean({ description: 'Whether results hold what was reviewed.' })),
    limit: limitField(100, 20),
  }),
  example: { organizationId: 'example', side: 'reject', reviewerId: 'nadia', limit: 10 },
  output: Type.Object({
    results: Type.Array(Judgment),
    total: Type.Integer({ description: 'How many are in `results`.' }),
  }),
  errors: [],
  message: '',
  bare: true,
  check: ({ annotationId, ...ids }) => placeIssues(ids, annotationId),
}).run(async ({ db, tenant, input, config }) => {
  const order = sql`j.created_at desc, j.key desc`
  const listed = listCondition(tenant, input)
  const judgments = await readJudgments(db, tenant, {
    condition: input.recordIds ? sql`${listed} and j.key = any(${input.recordIds.map(keyOf)}::uuid[])` : listed,
    order,
    limit: input.limit ?? 20,
    maxBytes: config.pageLimitBytes,
    withContent: input.includeContent ?? false,
  })
  const results = (input.annotationId !== undefined ? judgments.reverse() : judgments).map(
    ({ key: _, ...judgment }) => judgment,
  )
  return { results, total: results.length }
})
