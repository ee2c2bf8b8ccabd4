import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, json, type Sql, sql } from '../../../platform/db/db.ts'
import { randomId } from '../../../platform/id.ts'
import { nullable, oneOf, type Static, Type } from '../../../platform/schema.ts'
import type { EvaluationPlan } from './evaluate.ts'
import { EvaluationReport } from './evaluation-report.ts'

/** An evaluation as it is answered. */
export const Evaluation = Type.Object({
  evaluationId: Type.String(),
  status: oneOf(['queued', 'running', 'completed', 'failed'], 'How far it is; `failed` after three attempts.'),
  from: nullable(
    Type.Integer({ description: 'The judgments since then are asked about. Epoch milliseconds; null: not known yet.' }),
  ),
  read: Type.Integer({ description: 'How many judgments have been read.' }),
  total: nullable(Type.Integer({ description: 'Of how many; null: not known yet.' })),
  createdAt: Type.Integer({ description: 'When it was asked for. Epoch milliseconds.' }),
  finishedAt: nullable(Type.Integer({ description: 'When it ended. Epoch milliseconds.' })),
  report: nullable(EvaluationReport),
})
export type Evaluation = Static<typeof Evaluation>

/** How many evaluations of an API key are kept. */
const KEPT = 20
const MOST_ATTEMPTS = 3

/** Queues an evaluation and returns its id; undefined while another one of the API key is not finished. */
export async function queueEvaluation(
  db: Db,
  { apiKey }: ApiKeyTenant,
  from: number | undefined,
): Promise<string | undefined> {
  const id = randomId('eval_')
  const [queued] = await db.query<{ id: string }>(sql`
    with old as (
      delete from judgment_evaluation
      where api_key = ${apiKey} and id in (
        select id
        from judgment_evaluation
        where api_key = ${apiKey} and status in ('completed', 'failed')
        order by created_at desc, id
        offset ${KEPT - 1})
    )
    insert into judgment_evaluation (api_key, id, asked_from)
    values (${apiKey}, ${id}, ${from ?? null}::bigint)
    on conflict (api_key) where status in ('queued', 'running') do nothing
    returning id`)
  return queued?.id
}

/** The evaluations of an API key, the newest first: all that are kept, or the one with the id. */
export const readEvaluations = (db: Db, { apiKey }: ApiKeyTenant, id: string | undefined): Promise<Evaluation[]> =>
  db.query<Evaluation>(sql`
    select id as "evaluationId", status, asked_from as "from", read, total, created_at as "createdAt",
      finished_at as "finishedAt", report
    from judgment_evaluation
    where api_key = ${apiKey} and (${id ?? null}::text is null or id = ${id ?? null})
    order by created_at desc, id`)

/** An evaluation that a process works on. A later attempt takes it over. */
export interface EvaluationClaim extends ApiKeyTenant {
  id: string
  from: number | null
  attempt: number
}

/** How long a process may be silent before another one takes over. */
const LEASE_MS = 120_000

/** The condition of an evaluation that nobody works on. */
const isDue = (now: number): Sql => sql`e.status in ('queued', 'running') and e.due_at <= ${now}::bigint`

/**
 * Claims an evaluation that nobody works on; with `mostChanges`, of an API key whose judgments have changed no more
 * often. Those whose process has died at each attempt are given up meanwhile.
 */
export async function claimEvaluation(
  db: Db,
  { now, mostChanges }: { now: number; mostChanges: number | undefined },
): Promise<EvaluationClaim | undefined> {
  const [claim] = await db.query<EvaluationClaim & { isLost: boolean }>(sql`
    update judgment_evaluation e
    set status = case when attempt < ${MOST_ATTEMPTS} then 'running' else 'failed' end,
      finished_at = case when attempt >= ${MOST_ATTEMPTS} then now_ms() end,
      attempt = attempt + 1, due_at = ${now + LEASE_MS}::bigint
    from (
      select e.api_key, e.id, k.workspace_id
      from judgment_evaluation e
      join api_key k on k.id = e.api_key
      left join judgment_log l on l.api_key = e.api_key
      where ${isDue(now)}
        and (${mostChanges ?? null}::bigint is null or coalesce(l.change, 0) <= ${mostChanges ?? null}::bigint)
      order by e.created_at
      limit 1
      for update of e skip locked
    ) due
    where e.api_key = due.api_key and e.id = due.id
    returning e.api_key as "apiKey", due.workspace_id as "workspaceId", e.id, e.asked_from as "from", e.attempt,
      e.status = 'failed' as "isLost"`)
  return claim?.isLost ? claimEvaluation(db, { now, mostChanges }) : claim
}

/** Gives an evaluation back whose process ends: another one begins it again, and the attempt does not count. */
export async function returnEvaluation(db: Db, { apiKey, id, attempt }: EvaluationClaim): Promise<void> {
  await db.query(sql`
    update judgment_evaluation
    set status = 'queued', attempt = attempt - 1, due_at = 0
    where api_key = ${apiKey} and id = ${id} and attempt = ${attempt} and status = 'running'`)
}

/** SQL: whether `claimEvaluation` would find one. */
export const evaluationIsDue = (now: number): Sql => sql`exists (select from judgment_evaluation e where ${isDue(now)})`

/** Records what it asks about. */
export async function recordPlan(
  db: Db,
  { apiKey, id, attempt }: EvaluationClaim,
  { from, total }: EvaluationPlan,
): Promise<void> {
  await db.query(sql`
    update judgment_evaluation
    set asked_from = ${from}::bigint, total = ${total}::bigint, read = 0
    where api_key = ${apiKey} and id = ${id} and attempt = ${attempt} and status = 'running'`)
}

/** Records how many judgments were read; false if the evaluation is no longer this process's. */
export async function recordProgress(
  db: Db,
  { apiKey, id, attempt }: EvaluationClaim,
  read: number,
  now: number,
): Promise<boolean> {
  const rows = await db.query(sql`
    update judgment_evaluation
    set read = ${read}::bigint, total = greatest(total, ${read}::bigint), due_at = ${now + LEASE_MS}::bigint
    where api_key = ${apiKey} and id = ${id} and attempt = ${attempt} and status = 'running'
    returning id`)
  return rows.length > 0
}

/** Stores the report. */
export async function completeEvaluation(
  db: Db,
  { apiKey, id, attempt }: EvaluationClaim,
  report: EvaluationReport,
): Promise<void> {
  await db.query(sql`
    update judgment_evaluation
    set status = 'completed', read = ${report.judgments}::bigint, total = ${report.judgments}::bigint,
      report = ${json(report)}::jsonb, finished_at = now_ms()
    where api_key = ${apiKey} and id = ${id} and attempt = ${attempt} and status = 'running'`)
}

/** Gives an evaluation up after its third attempt; before that, it is tried again in a minute. */
export async function postponeEvaluation(db: Db, { apiKey, id, attempt }: EvaluationClaim, now: number): Promise<void> {
  const isLast = attempt >= MOST_ATTEMPTS
  await db.query(sql`
    update judgment_evaluation
    set status = ${isLast ? 'failed' : 'running'}, due_at = ${now + 60_000}::bigint,
      finished_at = case when ${isLast} then now_ms() end
    where api_key = ${apiKey} and id = ${id} and attempt = ${attempt} and status = 'running'`)
}
