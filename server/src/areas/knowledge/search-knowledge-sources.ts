import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, oneOf, requiredText, Type } from '../../platform/schema.ts'
import { comparedText } from '../memory/judgment/judgment-text.ts'
import { searchKnowledge } from '../memory/knowledge/search-knowledge.ts'
import { SourceIdField } from './source/source.ts'

/** Finds the pieces of knowledge sources that say most on a query. */
export const searchKnowledgeSources = operation({
  path: '/v2/memory/knowledge/search',
  auth: 'apiKey',
  access: 'read',
  summary: 'Search knowledge sources',
  description: 'Compares the stems of words. It covers all sources, whatever place they hold for.',
  input: Type.Object({
    query: requiredText('What to look for.'),
    sourceId: Type.Optional(
      Type.Union([SourceIdField, Type.Array(SourceIdField, { minItems: 2, maxItems: 30 })], {
        description: 'Only these sources; an unknown one holds nothing.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'How many pieces are answered at most.' }),
    ),
    includeRules: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether rules are answered too, besides pieces of the text.' }),
    ),
    organizationId: Type.Optional(identifier('Not taken: a search covers all sources.')),
    documentId: Type.Optional(identifier('Not taken: a search covers all sources.')),
  }),
  example: { query: 'alt text of a picture', limit: 5 },
  output: Type.Object({
    results: Type.Array(
      Type.Object({
        sourceId: Type.String(),
        text: Type.String(),
        score: Type.Number({ description: 'The cosine distance, 0 to 1: the lower the nearer.' }),
        kind: oneOf(['chunk', 'rule'], 'A piece of the text, or a rule.'),
        ruleId: Type.Optional(Type.String()),
        category: Type.Optional(Type.String({ description: 'The heading that it stands under.' })),
      }),
    ),
    recordsSearched: Type.Integer({ description: 'How many are in `results`.' }),
  }),
  errors: [],
  message: '',
  bare: true,
  check: ({ organizationId, documentId }) =>
    Object.entries({ organizationId, documentId }).flatMap(([path, value]) =>
      value === undefined ? [] : [{ path, message: 'is not taken: a search covers all sources' }],
    ),
}).run(async ({ db, tenant, input: { query, sourceId, limit = 10, includeRules = false } }) => {
  const keys = sourceId === undefined ? undefined : [sourceId].flat().map(keyOf)
  const hits = await searchKnowledge(db, tenant, {
    query: comparedText(query),
    limit,
    sources:
      keys === undefined
        ? sql`true`
        : sql`s.key in (
        select coalesce(dedup_of, key) from knowledge_source where api_key = ${tenant.apiKey} and key = any(${keys}::uuid[]))`,
    entries: includeRules ? sql`true` : sql`e.kind = 'chunk'`,
  })
  const results = hits.map(({ sourceId: id, text, similarity, kind, ruleId, category }) => ({
    sourceId: id,
    text,
    score: 1 - similarity,
    kind,
    ...(ruleId !== null && { ruleId }),
    ...(category !== null && { category }),
  }))
  return { results, recordsSearched: results.length }
})
