import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { hasModelKeys } from '../../workspaces/setting/model-key.ts'
import type { SimilarityBaseline } from './similarity-baseline.ts'

/** An API key with judgments to embed, claimed for one batch. */
export interface Claimed {
  apiKey: string
  model: string
  /** The number of claims since the last success. */
  attempt: number
  dimensions: number | null
  baselineMean: number | null
}

/** After this time a claim counts as lost. If its process is still working, some texts are embedded twice. */
const LEASE_MS = 60_000

/** The API keys (`l`) to claim and what is known of them (`p`), as what follows `from`. */
const unembedded = (model: string, now: number): Sql => sql`
      judgment_log l
      left join judgment_embedding p on p.api_key = l.api_key and p.model = ${model}
      where p.api_key is null
        or (p.due_at <= ${now}::bigint and not (p.is_complete and p.done @> int8range(1, l.change + 1)))`

/** SQL: whether `claimUnembedded` would find some. */
export const embeddingIsDue = (model: string, now: number): Sql => sql`exists (select from ${unembedded(model, now)})`

/** Claims API keys with changes that the model has not seen, the longest waiting first. */
export const claimUnembedded = (db: Db, model: string, count: number, now: number): Promise<Claimed[]> =>
  db.query<Claimed>(sql`
    insert into judgment_embedding as e (api_key, model, attempt, due_at)
    select api_key, ${model}, 1, ${now + LEASE_MS}::bigint
    from (
      select l.api_key
      from ${unembedded(model, now)}
      order by p.due_at nulls first
      limit ${count}
    ) due
    on conflict (api_key, model) do update
    set due_at = excluded.due_at, attempt = e.attempt + 1
    where e.due_at <= ${now}::bigint
    returning e.api_key as "apiKey", e.model, e.attempt, e.dimensions, e.off_topic_mean as "baselineMean"`)

/** A judgment that may have changed texts, with the hashes of the texts that the model has seen. */
export interface Unembedded {
  key: string
  change: number
  decision: string
  reasoning: string
  content: string
  reviewHash: string | null
  contentHash: string | null
}

/** The changes `[first, stop)` and the judgments last changed in them. */
export interface Gap {
  first: number
  stop: number
  judgments: Unembedded[]
}

/** More than is embedded of a text, because blanks at its ends are trimmed. */
const READ_CHARACTERS = 20_000

/** Reads the newest changes that the model has not seen, of at most `limit` judgments; undefined if it has seen all. */
export async function readGap(db: Db, { apiKey, model }: Claimed, limit: number): Promise<Gap | undefined> {
  const rows = await db.query<{ first: number; stop: number } & Partial<Unembedded>>(sql`
    with gap as materialized (
      select lower(r) as first, upper(r) as stop
      from judgment_embedding e
      join judgment_log l on l.api_key = e.api_key
      cross join unnest(int8multirange(int8range(1, l.change + 1)) - e.done) as r
      where e.api_key = ${apiKey} and e.model = ${model}
      order by r desc
      limit 1
    )
    select g.first, g.stop, j.key, j.change, j.decision, left(j.reasoning, ${READ_CHARACTERS}) as reasoning,
      left(j.content, ${READ_CHARACTERS}) as content,
      r.text_hash as "reviewHash", c.text_hash as "contentHash"
    from gap g
    left join lateral (
      select *
      from judgment
      where api_key = ${apiKey} and change >= g.first and change < g.stop
      order by change desc
      limit ${limit}
    ) j on true
    left join judgment_vector r on r.api_key = ${apiKey} and r.key = j.key and r.field = 'review' and r.model = ${model}
    left join judgment_vector c on c.api_key = ${apiKey} and c.key = j.key and c.field = 'content' and c.model = ${model}
    order by j.change desc`)
  const [newest] = rows
  if (!newest) return undefined
  const judgments = rows.filter((row): row is typeof row & Unembedded => row.key !== null)
  const oldest = judgments.at(-1)
  return {
    first: oldest && judgments.length === limit ? oldest.change : newest.first,
    stop: newest.stop,
    judgments,
  }
}

/** SQL: the assignments that record a success. The API key can be claimed again at once. */
export const released = (now: number): Sql => sql`attempt = 0, due_at = ${now}::bigint, error = null`

/** Records a failure. The API key is not claimed again before `dueAt`. */
export async function postpone(
  db: Db,
  { apiKey, model, attempt }: Claimed,
  dueAt: number,
  error: string,
): Promise<void> {
  await db.query(sql`
    update judgment_embedding
    set due_at = ${dueAt}::bigint, error = ${error}
    where api_key = ${apiKey} and model = ${model} and attempt = ${attempt}`)
}

const REMOVED_AT_ONCE = 2_000

/**
 * Call when all changes have been seen. Deletes vectors of other models in batches, and then lets searches use those of
 * this model.
 */
export async function complete(db: Db, { apiKey, model, attempt }: Claimed, now: number): Promise<void> {
  const old = await db.query(sql`
    delete from judgment_vector
    where api_key = ${apiKey} and (key, field, model) in (
      select key, field, model
      from judgment_vector
      where api_key = ${apiKey} and model <> ${model}
      limit ${REMOVED_AT_ONCE})
    returning key`)
  const isLast = old.length < REMOVED_AT_ONCE
  await db.query(sql`
    with others as (
      delete from judgment_embedding where api_key = ${apiKey} and model <> ${model} and ${isLast}
    )
    update judgment_embedding
    set is_complete = ${isLast}, ${released(now)}
    where api_key = ${apiKey} and model = ${model} and attempt = ${attempt}`)
}

/** What searches need to know of the vectors of an API key. */
export interface VectorState {
  model: string
  /** Whether the model had seen all judgments at some time; false while there are none. */
  isComplete: boolean
  /** Whether there are judgments, or once were. */
  hasChanges: boolean
  dimensions: number
  baseline: SimilarityBaseline
  /** The number of the last vector. */
  last: number
  hasPgvector: boolean
  /** Whether the customer may have set a key for the model. */
  hasModelKeys: boolean
}

/** Reads the state of a model's vectors of an API key. */
export async function readVectorState(db: Db, { apiKey }: ApiKeyTenant, model: string): Promise<VectorState> {
  const [row] = await db.query<VectorStateRow>(vectorState(apiKey, model))
  return toVectorState(row, model)
}

/** SQL: the state as one row; none for an API key that never had judgments. */
export const vectorState = (apiKey: string, model: string): Sql => sql`
    select e.is_complete as "isComplete", l.change > 0 as "hasChanges", e.dimensions, e.off_topic_mean as mean,
      e.off_topic_deviation as deviation, e.vector as last,
      exists (select from pg_extension where extname = 'vector') as "hasPgvector",
      ${hasModelKeys(apiKey)} as "hasModelKeys"
    from judgment_log l
    left join judgment_embedding e on e.api_key = l.api_key and e.model = ${model}
    where l.api_key = ${apiKey}`

/** The columns of that row. */
export type VectorStateRow = {
  [Column in keyof (VectorState & SimilarityBaseline)]?: (VectorState & SimilarityBaseline)[Column] | null
}

/** The state of a row; without one, nothing is embedded yet. */
export const toVectorState = (row: VectorStateRow | undefined, model: string): VectorState => ({
  model,
  isComplete: row?.isComplete ?? false,
  hasChanges: row?.hasChanges ?? false,
  dimensions: row?.dimensions ?? 0,
  baseline: { mean: row?.mean ?? 0, deviation: row?.deviation ?? 0 },
  last: row?.last ?? 0,
  hasPgvector: row?.hasPgvector ?? false,
  hasModelKeys: row?.hasModelKeys ?? false,
})

/** Counts the changes to judgments that the model has not seen, over all API keys. */
export async function countUnseen(db: Db, model: string): Promise<number> {
  const [row] = await db.query<{ unseen: number }>(sql`
    select coalesce(sum(l.change - (select coalesce(sum(upper(r) - lower(r)), 0) from unnest(e.done) r)), 0)::bigint as unseen
    from judgment_log l
    left join judgment_embedding e on e.api_key = l.api_key and e.model = ${model}`)
  return row?.unseen ?? 0
}

/** Counts the judgments of an API key that the model has embedded. */
export async function countEmbedded(db: Db, { apiKey }: ApiKeyTenant, model: string): Promise<number> {
  const [row] = await db.query<{ embedded: number }>(sql`
    select count(*) as embedded
    from judgment j
    join judgment_embedding e on e.api_key = j.api_key and e.model = ${model}
    where j.api_key = ${apiKey} and e.done @> j.change`)
  return row?.embedded ?? 0
}
