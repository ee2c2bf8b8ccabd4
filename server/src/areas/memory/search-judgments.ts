import { dateRangeIssues } from '../../platform/date-range.ts'
import type { Sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { oneOf, Type } from '../../platform/schema.ts'
import { mapWithRests } from '../../platform/turns/yield.ts'
import { directReadOf } from './judgment/direct-read.ts'
import type { JudgmentFilters } from './judgment/indexed-judgment.ts'
import {
  countJudgments,
  FoundJudgment,
  foundWithin,
  limitField,
  readJudgments,
  toFound,
  warnings,
} from './judgment/judgment.ts'
import { comparedText } from './judgment/judgment-text.ts'
import { missingPlace } from './judgment/place.ts'
import {
  indexFilters,
  memoryScopeOf,
  placeAliases,
  placeInput,
  placeIssues,
  SearchFilters,
  scopeInput,
  scopeIssues,
  scopeOf,
  unaliased,
} from './judgment/scope.ts'
import { findJudgments } from './search/find-judgments.ts'
import { highlightsOf, tellingStems } from './search/highlights.ts'

/** Finds past judgments by meaning, or reads those of a thread or of the last days. Filters apply inside the search. */
export const searchJudgments = operation({
  path: '/v2/memory/search',
  auth: 'apiKey',
  access: 'read',
  large: true,
  summary: 'Search past judgments',
  description:
    '`filters.annotationId` reads one thread, oldest first, and `recencyDays` the latest judgments, newest first; both ignore `query`, and the former beats the latter, which beats `filters.dateRange`.',
  input: Type.Object({
    query: Type.Optional(
      Type.String({
        description: 'What to look for; required without `filters.annotationId` and `recencyDays`.',
      }),
    ),
    embeddingType: Type.Optional(
      oneOf(['review', 'content'], '`review` (default): decision and reasoning; `content`: what was reviewed.'),
    ),
    scope: Type.Optional(scopeInput),
    ...placeInput,
    ...placeAliases,
    limit: limitField(50, 10),
    includeContent: Type.Optional(
      Type.Boolean({ description: 'Answer what was reviewed too, and the sentences that match.', default: false }),
    ),
    filters: Type.Optional(SearchFilters),
    recencyDays: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 365, description: 'Judgments of the last so many times 24 hours.' }),
    ),
  }),
  example: { query: 'missing alt text', organizationId: 'example', limit: 5, includeContent: true },
  output: Type.Object({
    results: Type.Array(FoundJudgment),
    totalInScope: Type.Integer({ description: 'How many judgments scope and filters admit.' }),
    searchLatencyMs: Type.Number(),
    warnings: Type.Optional(warnings),
  }),
  errors: [],
  message: '',
  bare: true,
  check: ({ query, scope, filters = {}, recencyDays, ...request }) => {
    const ids = unaliased(request)
    return [
      ...(query?.trim() || filters.annotationId !== undefined || recencyDays !== undefined
        ? []
        : [{ path: 'query', message: query === undefined ? 'is required' : 'must not be empty' }]),
      ...placeIssues(ids, filters.annotationId),
      ...scopeIssues(scope, ids, filters.annotationId),
      ...dateRangeIssues(filters.dateRange, 'filters.dateRange'),
    ]
  },
}).run(async ({ db, tenant, input: request, config, ...services }) => {
  const started = performance.now()
  const input = unaliased(request)
  const { embeddingType: field = 'review', limit = 10, filters = {}, includeContent: withContent = false } = input
  const query = comparedText(input.query ?? '')
  const maxBytes = config.pageLimitBytes
  const scopeName = scopeOf(input.scope, input)
  const scope = memoryScopeOf(tenant, scopeName, input)

  async function directRead({ condition, order }: { condition: Sql; order: Sql }) {
    const [judgments, totalInScope] = await Promise.all([
      readJudgments(db, tenant, { condition, order, limit, maxBytes, withContent }),
      countJudgments(db, tenant, condition),
    ])
    return { results: judgments.map((judgment) => toFound(judgment, 1, scopeName)), totalInScope, warnings: [] }
  }

  async function byMeaning(judged: JudgmentFilters) {
    const asked = { field, query, scope, filters: judged, limit, ...foundWithin(maxBytes, withContent) }
    const { found, totalInScope, warnings } = await findJudgments(db, tenant, services, asked)
    const stems = withContent ? tellingStems(query) : undefined
    const results = await mapWithRests(found, ({ judgment, similarity }) => {
      const hit = toFound(judgment, similarity, scopeName)
      const text = field === 'content' ? (judgment.content ?? '') : judgment.reasoning
      return stems ? { ...hit, highlights: highlightsOf(text, stems) } : hit
    })
    return { results, totalInScope, warnings }
  }

  const path = directReadOf(tenant, input, scope)
  const { warnings, ...found } = path ? await directRead(path) : await byMeaning(indexFilters(filters))
  // Judgments of a place prove that it exists.
  const missing = found.totalInScope > 0 ? undefined : await missingPlace(db, tenant, input)
  const told = missing === undefined ? warnings : [...warnings, missing]
  return { ...found, searchLatencyMs: performance.now() - started, ...(told.length > 0 && { warnings: told }) }
})
