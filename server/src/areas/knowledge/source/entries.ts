import type { ApiKeyScope } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { hexId } from '../../../platform/id.ts'
import type { IndexedEntry } from '../reading/indexed-text.ts'
import type { Rule } from './source.ts'

/** Entries of one statement, and their stems: a statement that takes long keeps others from an embedded database. */
const BATCH = 250
const BATCH_TERMS = 4_000

/** Replaces the entries of a source and their terms, in batches. Each batch is stored only where the condition holds. */
export async function storeEntries(
  db: Db,
  { apiKey }: ApiKeyScope,
  { key, sourceId }: { key: string; sourceId: string },
  entries: IndexedEntry[],
  condition: Sql = sql`true`,
): Promise<void> {
  await db.query(sql`
    delete from knowledge_term where api_key = ${apiKey} and key = ${key}::uuid and ${condition}`)
  await db.query(sql`
    delete from knowledge_entry where api_key = ${apiKey} and key = ${key}::uuid and ${condition}`)
  const ruleId = ({ kind, content }: IndexedEntry) =>
    kind === 'rule' ? `rule_${hexId(sourceId, apiKey, content)}` : null
  for (const { first, batch } of inBatches(entries)) {
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

function* inBatches(entries: IndexedEntry[]): Generator<{ first: number; batch: IndexedEntry[] }> {
  for (let first = 0, end = 0; first < entries.length; first = end) {
    let terms = 0
    do terms += entries[end++]?.weights.length ?? 0
    while (end < entries.length && end - first < BATCH && terms + (entries[end]?.weights.length ?? 0) <= BATCH_TERMS)
    yield { first, batch: entries.slice(first, end) }
  }
}

/** Reads the rules of a source in their order. */
export function readRules(db: Db, { apiKey }: ApiKeyScope, key: string): Promise<Rule[]> {
  return db.query<Rule>(sql`
    select rule_id as id, content, category, row_number() over (order by position) - 1 as index
    from knowledge_entry
    where api_key = ${apiKey} and key = ${key}::uuid and kind = 'rule'
    order by position`)
}
