import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { FIRST_KEY } from '../../../platform/id.ts'
import { decisionPolarity, SIDED_DECISIONS } from '../judgment/decision-polarity.ts'
import type { IndexedJudgment, TextField } from '../judgment/indexed-judgment.ts'
import { indexedColumns } from '../lexical/read-judgments.ts'
import { fromSent } from '../vectors/sent-vector.ts'

/** A judgment of the past. */
export interface PastJudgment extends IndexedJudgment {
  /** The comment thread in which it was decided. */
  thread: string | null
  /** The key of the user who wrote what was reviewed. */
  author: string | null
  /** The stored vectors of its texts. */
  vectors: Record<TextField, Float32Array | null>
}

const BATCH = 250

/** Reads all judgments of the API key by time, batch by batch, since `from`, with their vectors by `model`. */
export async function* readHistory(
  db: Db,
  { apiKey }: ApiKeyTenant,
  model: string | null,
  from = 0,
): AsyncGenerator<PastJudgment[]> {
  const vector = (field: TextField) =>
    model === null
      ? sql`null`
      : sql`(
          select array_send(embedding)
          from judgment_vector v
          where v.api_key = ${apiKey} and v.key = j.key and v.field = ${field} and v.model = ${model})`
  for (let after = { createdAt: from - 1, key: FIRST_KEY }; ; ) {
    const rows = await db.query<Row>(sql`
      select ${indexedColumns}, j.organization_key || '/' || j.annotation_key as thread, j.content_user_key as author,
        ${vector('review')} as "sentReview", ${vector('content')} as "sentContent"
      from judgment j
      where j.api_key = ${apiKey} and (j.created_at, j.key) > (${after.createdAt}::bigint, ${after.key}::uuid)
      order by j.created_at, j.key
      limit ${BATCH}`)
    if (rows.length === 0) return
    yield rows.map(({ sentReview, sentContent, ...row }) => ({
      ...row,
      vectors: { review: sentReview && fromSent(sentReview), content: sentContent && fromSent(sentContent) },
    }))
    after = rows.at(-1) ?? after
  }
}

/** The latest judgments that took a side, by time: as many as are learned from. */
export async function readLatest(
  db: Db,
  tenant: ApiKeyTenant,
  { model, most }: { model: string | null; most: number },
): Promise<PastJudgment[]> {
  const start = await startOfLatest(db, tenant, most)
  const judgments: PastJudgment[] = []
  for await (const batch of readHistory(db, tenant, model, start)) {
    judgments.push(...batch.filter(({ decision }) => decisionPolarity(decision)))
  }
  return judgments.slice(-most)
}

async function startOfLatest(db: Db, { apiKey }: ApiKeyTenant, most: number): Promise<number> {
  const [row] = await db.query<{ createdAt: number }>(sql`
    select created_at as "createdAt"
    from judgment
    where api_key = ${apiKey} and decision_value = any(${SIDED_DECISIONS}::text[])
    order by created_at desc
    offset ${most - 1}
    limit 1`)
  return row?.createdAt ?? 0
}

type Row = Omit<PastJudgment, 'vectors'> & {
  sentReview: Uint8Array | null
  sentContent: Uint8Array | null
}

/** The time from which the last `share` of the judgments with a side was decided; undefined without any. */
export async function startOfLast(db: Db, { apiKey }: ApiKeyTenant, share: number): Promise<number | undefined> {
  const [row] = await db.query<{ start: number | null }>(sql`
    select percentile_disc(${1 - share}::double precision) within group (order by created_at) as start
    from judgment
    where api_key = ${apiKey} and decision_value = any(${SIDED_DECISIONS}::text[])`)
  return row?.start ?? undefined
}

/** How many judgments there are, and how many with a side since `from`. */
export async function countHistory(
  db: Db,
  { apiKey }: ApiKeyTenant,
  from: number,
): Promise<{ total: number; test: number }> {
  const [row] = await db.query<{ total: number; test: number }>(sql`
    select count(*) as total,
      count(*) filter (
        where created_at >= ${from}::bigint and decision_value = any(${SIDED_DECISIONS}::text[])
      ) as test
    from judgment
    where api_key = ${apiKey}`)
  return row ?? { total: 0, test: 0 }
}
