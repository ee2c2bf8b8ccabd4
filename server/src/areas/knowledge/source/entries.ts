import type { ApiKeyScope } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { hexId } from '../../../platform/id.ts'
import { isInUse } from '../../memory/knowledge/search-knowledge.ts'
import type { IndexedEntry } from '../reading/indexed-text.ts'
import type { Rule } from './source.ts'

/** Entries of one statement, and their stems: a statement that takes long keeps others from an embedded database. */
const BATCH = 250
const BATCH_TERMS = 4_000

/** Replaces all entries of a source and their terms. Each statement stores only where the condition holds. */
export async function storeEntries(
  db: Db,
  scope: ApiKeyScope,
  source: { key: string; sourceId: string },
  entries: IndexedEntry[],
  condition: Sql,
): Promise<void> {
  await dropEntries(db, scope, source.key, condition)
  await addEntries(db, scope, { ...source, first: 0 }, entries, condition)
}

/** Deletes entries of a source and their terms where the condition holds: all, or those outside of some positions. */
export async function dropEntries(
  db: Db,
  { apiKey }: ApiKeyScope,
  key: string,
  condition: Sql,
  kept: { first: number; end: number } = { first: 0, end: 0 },
): Promise<void> {
  const { first, end } = kept
  await db.query(sql`
    delete from knowledge_term
    where api_key = ${apiKey} and key = ${key}::uuid and (first < ${first}::int or first >= ${end}::int) and ${condition}`)
  await db.query(sql`
    delete from knowledge_entry
    where api_key = ${apiKey} and key = ${key}::uuid and (position < ${first}::int or position >= ${end}::int)
      and ${condition}`)
}

/** Adds entries of a source and their terms, in batches, from a free position on. */
export async function addEntries(
  db: Db,
  { apiKey }: ApiKeyScope,
  { key, sourceId, first: from }: { key: string; sourceId: string; first: number },
  entries: IndexedEntry[],
  condition: Sql,
): Promise<void> {
  const ruleId = ({ kind, content }: IndexedEntry) =>
    kind === 'rule' ? `rule_${hexId(sourceId, apiKey, content)}` : null
  for (const { start, batch } of inBatches(entries)) {
    const first = from + start
    const positions = batch.flatMap(({ weights }, i) => weights.map(() => first + i))
    await db.query(sql`
      with entries as (
        insert into knowledge_entry (api_key, key, position, kind, rule_id, category, content)
        select ${apiKey}, ${key}::uuid, ${first}::int + e.number - 1, e.kind, e.rule_id, e.category, e.content
        from unnest(
          ${batch.map(({ kind }) => kind)}::text[],
          ${batch.map(ruleId)}::text[],
          ${batch.map(({ category }) => category)}::text[],
          ${batch.map(({ content }) => content)}::text[]
        ) with ordinality as e (kind, rule_id, category, content, number)
        where ${condition}
      )
      insert into knowledge_term (api_key, term, key, first, positions, weights)
      select ${apiKey}, t.term, ${key}::uuid, ${first}::int, array_agg(t.position order by t.position),
        array_agg(t.weight order by t.position)
      from unnest(
        ${batch.flatMap(({ terms }) => (terms === '' ? [] : terms.split(' ')))}::text[],
        ${positions}::int[],
        ${batch.flatMap(({ weights }) => weights)}::real[]
      ) as t (term, position, weight)
      where ${condition}
      group by t.term`)
  }
}

/** The entries in batches within the bounds; one that alone has more terms is a batch of its own. */
function* inBatches(entries: IndexedEntry[]): Generator<{ start: number; batch: IndexedEntry[] }> {
  let start = 0
  let terms = 0
  for (const [position, { weights }] of entries.entries()) {
    const isFull = position - start === BATCH || terms + weights.length > BATCH_TERMS
    if (isFull && position > start) {
      yield { start, batch: entries.slice(start, position) }
      start = position
      terms = 0
    }
    terms += weights.length
  }
  if (start < entries.length) yield { start, batch: entries.slice(start) }
}

/** Reads the rules of a source in their order. */
export function readRules(db: Db, { apiKey }: ApiKeyScope, key: string): Promise<Rule[]> {
  return db.query<Rule>(sql`
    select e.rule_id as id, e.content, e.category, row_number() over (order by e.position) - 1 as index
    from knowledge_source s
    join knowledge_entry e on e.api_key = ${apiKey} and e.key = s.key and ${isInUse(sql`e.position`)}
    where s.api_key = ${apiKey} and s.key = ${key}::uuid and e.kind = 'rule'
    order by e.position`)
}
