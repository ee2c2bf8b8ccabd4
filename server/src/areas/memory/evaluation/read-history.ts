import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { SIDED_DECISIONS } from '../judgment/decision-polarity.ts'
import { indexedColumns } from '../lexical/read-judgments.ts'
import type { PastJudgment } from './replay.ts'

const BATCH = 500

/** Reads all judgments of the API key by time, batch by batch. */
export async function* readHistory(db: Db, { apiKey }: ApiKeyTenant): AsyncGenerator<PastJudgment[]> {
  for (let after = { createdAt: -1, key: FIRST_KEY }; ; ) {
    const rows = await db.query<Row>(sql`
      select ${indexedColumns}, j.organization_key || '/' || j.annotation_key as thread
      from judgment j
      where j.api_key = ${apiKey} and (j.created_at, j.key) > (${after.createdAt}::bigint, ${after.key}::uuid)
      order by j.created_at, j.key
      limit ${BATCH}`)
    if (rows.length === 0) return
    yield rows.map(({ key, ...row }) => ({ ...row, recordId: key }))
    after = rows.at(-1) ?? after
  }
}

const FIRST_KEY = '00000000-0000-0000-0000-000000000000'

type Row = Omit<PastJudgment, 'recordId'> & { key: string }

/** The time from which the last `share` of the judgments with a side was decided; undefined without any. */
export async function startOfLast(db: Db, { apiKey }: ApiKeyTenant, share: number): Promise<number | undefined> {
  const [row] = await db.query<{ start: number | null }>(sql`
    select percentile_disc(${1 - share}::double precision) within group (order by created_at) as start
    from judgment
    where api_key = ${apiKey} and decision_value = any(${SIDED_DECISIONS}::text[])`)
  return row?.start ?? undefined
}
