import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, empty, type Sql, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { organizationKeyOf } from '../../organizations/organization-key.ts'
import { preparePriors } from '../words/prior-frequencies.ts'
import { heaviestTerms } from './term-weights.ts'

/** An entry of a source that shares stems with a query. */
export interface KnowledgeHit {
  sourceId: string
  fileName: string
  updatedAt: number
  /** When a rule of the source came or went last. */
  rulesChangedAt: number
  kind: 'chunk' | 'rule'
  ruleId: string | null
  category: string | null
  text: string
  /** The cosine of the weighted stems, 0 to 1. */
  similarity: number
  /** The share of the entry that the query covers: the squared weights of the stems that it has, 0 to 1. */
  coverage: number
  /** The share that it covers beyond the heaviest stem that both have; 0 if they share one stem only. */
  further: number
}

interface Wanted {
  query: string
  limit: number
  /** A condition over the source `s`. */
  sources: Sql
  /** A condition over the source `s` and the entry `e`. */
  entries: Sql
  order?: Sql
}

/** More terms of a query cost time and find nothing else. */
const MOST_TERMS = 48

/**
 * What a search reads: entries of all its terms together, each of which has an equal share, rows of a term, and entries
 * whose text is read. An API key may have twenty million entries that share a word.
 */
const MOST_READ = { entries: 100_000, rows: 2_000, texts: 2_000 }

/**
 * Finds the entries of completed sources that are most similar to a query, the best first, in one statement. Of a word
 * that very many entries have, it reads some only.
 */
export async function searchKnowledge(
  db: Db,
  { apiKey }: ApiKeyTenant,
  { query, limit, sources, entries, order = sql`m.similarity desc` }: Wanted,
): Promise<KnowledgeHit[]> {
  await preparePriors()
  const terms = heaviestTerms(query, MOST_TERMS)
  if (terms.size === 0) return []
  return db.query<KnowledgeHit>(sql`
    select s.source_id as "sourceId", s.file_name as "fileName", s.updated_at as "updatedAt",
      coalesce(s.rules_changed_at, s.updated_at) as "rulesChangedAt", e.kind,
      e.rule_id as "ruleId", e.category, e.content as text, least(m.similarity, 1) as similarity,
      least(m.coverage, 1) as coverage, least(m.further, 1) as further
    from (
      select *
      from (
        select t.key, u.position, sum(q.weight * u.weight) as similarity, sum(u.weight * u.weight) as coverage,
          sum(u.weight * u.weight) - max(u.weight * u.weight) as further
        from unnest(${[...terms.keys()]}::text[], ${[...terms.values()]}::double precision[]) as q (term, weight)
        cross join lateral (
          select t.key, t.positions, t.weights,
            sum(cardinality(t.positions)) over (order by t.key, t.first) as read
          from knowledge_term t
          join knowledge_source s on s.api_key = ${apiKey} and s.key = t.key and s.status = 'completed'
            and ${isInUse(sql`t.first`)}
          where t.api_key = ${apiKey} and t.term = q.term and ${sources}
          order by t.key, t.first
          limit ${MOST_READ.rows}
        ) t
        cross join lateral unnest(t.positions, t.weights) as u (position, weight)
        where t.read <= ${Math.floor(MOST_READ.entries / terms.size)}
        group by t.key, u.position
      ) m
      order by ${order}
      limit ${MOST_READ.texts}
    ) m
    join knowledge_source s on s.api_key = ${apiKey} and s.key = m.key
    join knowledge_entry e on e.api_key = ${apiKey} and e.key = m.key and e.position = m.position
    where ${entries}
    order by ${order}, s.uploaded_at desc, e.position
    limit ${limit}`)
}

/** SQL: whether an API key has knowledge; without it there is nothing to search. */
export const hasKnowledge = (apiKey: string): Sql =>
  sql`exists (select from knowledge_source where api_key = ${apiKey} and status = 'completed')`

/** SQL: whether a position belongs to the text that the source `s` has now. */
export const isInUse = (position: Sql): Sql => sql`
  ${position} >= s.first_position and ${position} < s.first_position + s.rule_count + s.chunk_count`

/** SQL: the condition over a source `s` that it holds for a place: it has no place, or one that the place lies in. */
export function holdsFor(
  tenant: ApiKeyTenant,
  { organizationId, documentId }: { organizationId?: string; documentId?: string },
): Sql {
  if (organizationId === undefined) return sql`s.organization_key is null`
  const ofDocument = documentId === undefined ? empty : sql`or s.document_key = ${keyOf(documentId)}::uuid`
  return sql`(s.organization_key is null or (
    s.organization_key = ${organizationKeyOf(tenant, organizationId)}::uuid and (s.document_key is null ${ofDocument})))`
}
