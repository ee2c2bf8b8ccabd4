import { lastById, memoize } from '../../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, json, type Sql, sql, together } from '../../../platform/db/db.ts'
import { keyOf, optionalKey } from '../../../platform/id.ts'
import { isRetired } from '../../organizations/organization-key.ts'
import { SYSTEM_ACTOR } from '../../users/system-actor.ts'
import { takeChanges } from './change-log.ts'
import { canonicalDecision } from './decision-polarity.ts'
import type { DecidingAgent, Reviewer } from './judgment.ts'

/** A judgment to record. Its organization and document must be locked against deletion. */
export interface JudgmentDraft {
  recordId: string
  organizationKey: string | null
  documentKey: string | null
  annotationId: string | null
  decision: string
  reasoning: string
  content: string
  /** The author of the content, if known. */
  contentUserId: string | null
  contentType: string | null
  confidence: number
  judgeType: 'human' | 'agent'
  agent: DecidingAgent | null
  /** Null: nobody was named. */
  reviewer: Reviewer | null
  /** Null: the time of its first recording. A time in the future counts as now. */
  createdAt: number | null
  /**
   * What its deletion follows: its thread, its activity record, or neither. An import leaves that of one that exists.
   */
  source: 'thread' | 'activity' | 'import'
}

/**
 * Records judgments. An existing `recordId` is overwritten; of two drafts with the same id the last counts. Those of an
 * organization that was deleted meanwhile are left out.
 */
export async function recordJudgments(db: Db, tenant: ApiKeyTenant, drafts: JudgmentDraft[]): Promise<void> {
  const judgments = [...lastById(drafts, ({ recordId }) => recordId).values()]
  if (judgments.length === 0) return
  const keys = judgments.map(({ recordId }) => keyOf(recordId))
  await together([
    takeChanges(db, tenant, judgments.length),
    upsert(db, tenant, judgments, keys),
    undelete(db, tenant, keys),
  ])
}

/** Deletes the judgments that meet a condition over `judgment j` and returns their record ids. */
export async function deleteJudgmentsWhere(db: Db, tenant: ApiKeyTenant, condition: Sql): Promise<Set<string>> {
  const locked = takeChanges(db, tenant, 0)
  // Sent with it, and reads the number that it locks.
  const deleting = db.query<{ id: string }>(sql`
    with gone as (
      delete from judgment j where j.api_key = ${tenant.apiKey} and ${condition} returning j.key, j.record_id
    ), noted as (
      insert into judgment_deletion (api_key, key, change)
      select ${tenant.apiKey}, key,
        (select change from judgment_log where api_key = ${tenant.apiKey}) + row_number() over (order by key)
      from gone
    ), counted as (
      update judgment_log
      set change = change + (select count(*) from gone)
      where api_key = ${tenant.apiKey}
    )
    select record_id as id from gone`)
  const [, deleted] = await together([locked, deleting])
  return new Set(deleted.map(({ id }) => id))
}

/** Deletes the judgments that follow threads: those from their statuses and suggestions. */
export async function deleteJudgmentsOfThreads(
  db: Db,
  tenant: ApiKeyTenant,
  threads: { organizationKey: string; key: string }[],
): Promise<void> {
  if (threads.length === 0) return
  const condition = sql`
    j.source = 'thread' and j.annotation_key is not null
      and (j.organization_key, j.annotation_key) in (
        select *
        from unnest(
          ${threads.map(({ organizationKey }) => organizationKey)}::uuid[],
          ${threads.map(({ key }) => key)}::uuid[]))`
  await deleteJudgmentsWhere(db, tenant, condition)
}

/** Moves the judgments of a document to its new key. */
export async function moveJudgments(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, oldKey, newKey }: { organizationKey: string; oldKey: string; newKey: string },
): Promise<void> {
  const before = await takeChanges(db, tenant, 0)
  await db.query(sql`
    with moved as (
      update judgment j
      set document_key = ${newKey}, change = ${before}::bigint + n.number
      from (
        select key, row_number() over (order by key) as number
        from judgment
        where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and document_key = ${oldKey}
      ) n
      where j.api_key = ${tenant.apiKey} and j.key = n.key
      returning j.key
    )
    update judgment_log
    set change = change + (select count(*) from moved)
    where api_key = ${tenant.apiKey}`)
}

/** The stored reviewer of a judgment if nobody was named. */
const NOBODY = { name: SYSTEM_ACTOR.name }

/** Writes judgments under the change numbers just taken for them. */
async function upsert(db: Db, tenant: ApiKeyTenant, judgments: JudgmentDraft[], keys: string[]): Promise<void> {
  await db.query(sql`
    with ${incoming(tenant, judgments, keys)},
    ${withoutOutdatedVectors(tenant)}
    insert into judgment (
      api_key, key, record_id, change, organization_key, document_key, annotation_id, annotation_key, location_key,
      decision, decision_value, reasoning, content, content_user_id, content_user_key, content_type, confidence,
      judge_type, agent, reviewer_key, reviewer, created_at, source)
    select ${tenant.apiKey}, i.key, i.record_id,
      (select change from judgment_log where api_key = ${tenant.apiKey}) - ${judgments.length}::bigint + i.position,
      i.organization_key, i.document_key,
      i.annotation_id, i.annotation_key, i.location_key, i.decision, i.decision_value, i.reasoning, i.content,
      i.content_user_id, i.content_user_key, i.content_type, i.confidence, i.judge_type, i.agent, i.reviewer_key,
      i.reviewer, least(coalesce(i.created_at, i.known_since, now_ms()), now_ms()), i.source
    from incoming i
    where not ${isRetired(tenant.apiKey, sql`i.organization_key`)}
    on conflict (api_key, key) do update
    set change = excluded.change, organization_key = excluded.organization_key, document_key = excluded.document_key,
      annotation_id = excluded.annotation_id, annotation_key = excluded.annotation_key,
      location_key = excluded.location_key, decision = excluded.decision, decision_value = excluded.decision_value,
      reasoning = excluded.reasoning, content = excluded.content, content_user_id = excluded.content_user_id,
      content_user_key = excluded.content_user_key, content_type = excluded.content_type,
      confidence = excluded.confidence, judge_type = excluded.judge_type, agent = excluded.agent,
      reviewer_key = excluded.reviewer_key, reviewer = excluded.reviewer, created_at = excluded.created_at,
      source = case excluded.source when 'import' then judgment.source else excluded.source end`)
}

/**
 * SQL: the judgments with what is known of them. The laterals force look-ups by key, whatever the planner estimates: of
 * growing tables it would read all.
 */
function incoming(tenant: ApiKeyTenant, judgments: JudgmentDraft[], keys: string[]): Sql {
  // Few people make most judgments of a call.
  const userKey = memoize(keyOf)
  const column = <Value>(value: (judgment: JudgmentDraft) => Value) => judgments.map(value)
  return sql`
    incoming as materialized (
      select i.*, e.created_at as known_since, e.changes_content, e.changes_reasoning, a.location_key
      from unnest(
        ${keys}::uuid[],
        ${column(({ recordId }) => recordId)}::text[],
        ${column(({ organizationKey }) => organizationKey)}::uuid[],
        ${column(({ documentKey }) => documentKey)}::uuid[],
        ${column(({ annotationId }) => annotationId)}::text[],
        ${column(({ annotationId }) => optionalKey(annotationId))}::uuid[],
        ${column(({ decision }) => decision)}::text[],
        ${column(({ decision }) => canonicalDecision(decision))}::text[],
        ${column(({ reasoning }) => reasoning)}::text[],
        ${column(({ content }) => content)}::text[],
        ${column(({ contentUserId }) => contentUserId)}::text[],
        ${column(({ contentUserId }) => optionalKey(contentUserId))}::uuid[],
        ${column(({ contentType }) => contentType)}::text[],
        ${column(({ confidence }) => confidence)}::double precision[],
        ${column(({ judgeType }) => judgeType)}::text[],
        ${column(({ agent }) => (agent === null ? null : json(agent)))}::jsonb[],
        ${column(({ reviewer }) => reviewer && userKey(reviewer.userId))}::uuid[],
        ${column(({ reviewer }) => json(reviewer ?? NOBODY))}::jsonb[],
        ${column(({ createdAt }) => createdAt)}::bigint[],
        ${column(({ source }) => source)}::text[]
      ) with ordinality as i (
        key, record_id, organization_key, document_key, annotation_id, annotation_key, decision, decision_value,
        reasoning, content, content_user_id, content_user_key, content_type, confidence, judge_type, agent, reviewer_key,
        reviewer, created_at, source, position)
      left join lateral (
        select created_at, content is distinct from i.content as changes_content,
          (decision, reasoning) is distinct from (i.decision, i.reasoning) as changes_reasoning
        from judgment
        where api_key = ${tenant.apiKey} and key = i.key
        offset 0
      ) e on true
      left join lateral (
        select location_key
        from comment_annotation
        where api_key = ${tenant.apiKey} and organization_key = i.organization_key and key = i.annotation_key
        offset 0
      ) a on true
    )`
}

/** SQL: deletes the vectors of texts that `incoming` changes. */
const withoutOutdatedVectors = ({ apiKey }: ApiKeyTenant) => sql`
    forgotten as (
      delete from judgment_vector v
      using (
        select o.tid
        from incoming i
        cross join lateral (
          select ctid as tid
          from judgment_vector
          where api_key = ${apiKey}
            and key = i.key
            and case field when 'content' then i.changes_content else i.changes_reasoning end
          offset 0
        ) o
        where i.known_since is not null
      ) o
      where v.ctid = o.tid and v.api_key = ${apiKey}
    )`

async function undelete(db: Db, tenant: ApiKeyTenant, keys: string[]): Promise<void> {
  await db.query(sql`
    delete from judgment_deletion
    where api_key = ${tenant.apiKey} and key = any(${keys}::uuid[])`)
}
