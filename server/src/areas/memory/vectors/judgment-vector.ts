import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import type { TextField } from '../judgment/indexed-judgment.ts'
import type { SimilarityBaseline } from './similarity-baseline.ts'
import { type Claimed, type Gap, released } from './vector-progress.ts'

/** The vector of a text. Null: the text is empty, or the model refuses it. */
export interface TextVector {
  key: string
  /** The change number of the judgment with this text. */
  change: number
  field: TextField
  textHash: string
  embedding: Float32Array | null
}

interface Batch {
  /** The changes that are seen with it. */
  gap: Gap
  vectors: TextVector[]
  dimensions: number | null
  /** The model's baseline, if it was measured with this batch. */
  baseline: SimilarityBaseline | null
}

/**
 * Stores vectors and marks the changes as seen. Skips judgments that were changed or deleted meanwhile. It counts even
 * if its claim has ended: with a slow model, every claim might end before its answer.
 */
export async function recordVectors(
  db: Db,
  { apiKey, model }: Claimed,
  { gap: { first, stop }, vectors, dimensions, baseline }: Batch,
  now: number,
): Promise<void> {
  const column = <Value>(value: (vector: TextVector) => Value) => vectors.map(value)
  await db.query(sql`
    with mine as (
      update judgment_embedding
      set done = done + int8multirange(int8range(${first}::bigint, ${stop}::bigint)),
        vector = vector + ${vectors.length}::bigint,
        dimensions = coalesce(dimensions, ${dimensions}::integer),
        off_topic_mean = coalesce(off_topic_mean, ${baseline?.mean ?? null}::double precision),
        off_topic_deviation = coalesce(off_topic_deviation, ${baseline?.deviation ?? null}::double precision),
        ${released(now)}
      where api_key = ${apiKey} and model = ${model}
      returning vector - ${vectors.length}::bigint as before
    ), made as (
      select *
      from unnest(
        ${column(({ key }) => key)}::uuid[],
        ${column(({ change }) => change)}::bigint[],
        ${column(({ field }) => field)}::text[],
        ${column(({ textHash }) => textHash)}::uuid[],
        ${column(({ embedding }) => embedding && vectorLiteral(embedding))}::text[]
      ) with ordinality as i (key, change, field, text_hash, embedding, position)
    ), log as materialized (
      -- A change of judgments locks it until its commit. This waits for it, and the rows below are read after that.
      select api_key from judgment_log where api_key = ${apiKey} for share
    ), held as (
      select j.key, j.change
      from log l
      join judgment j on j.api_key = l.api_key and j.key in (select key from made)
      order by j.key
      for share of j
    )
    insert into judgment_vector (api_key, key, field, model, number, text_hash, embedding)
    select ${apiKey}, i.key, i.field, ${model}, m.before + i.position, i.text_hash, i.embedding::real[]
    from mine m
    cross join made i
    join held h on h.key = i.key and h.change = i.change
    on conflict (api_key, key, field, model) do update
    set number = excluded.number, text_hash = excluded.text_hash, embedding = excluded.embedding`)
}

/**
 * A vector of length 1 as the text of a `real[]`, with eight decimals, about all that a float32 holds. Fixed-point
 * digits serialise in half the time of shortest round-trip digits and parse in two thirds.
 */
export function vectorLiteral(vector: Float32Array): string {
  return `{${Int32Array.from(vector, (value) => Math.round(value * 1e8)).join('e-8,')}e-8}`
}

/** Deletes the vectors of texts that were removed or rewritten. */
export async function forgetVectors(
  db: Db,
  { apiKey }: ApiKeyTenant,
  keys: string[],
  fields: TextField[],
): Promise<void> {
  await db.query(sql`
    delete from judgment_vector
    where api_key = ${apiKey} and key = any(${keys}::uuid[]) and field = any(${fields}::text[])`)
}
