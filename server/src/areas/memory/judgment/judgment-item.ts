import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, json, type Sql, sql } from '../../../platform/db/db.ts'
import { FIRST_KEY } from '../../../platform/id.ts'
import { identifier, oneOf, type Static, Type, text, timestamp } from '../../../platform/schema.ts'
import { SYSTEM_ACTOR } from '../../users/system-actor.ts'
import { DecidingAgent, JUDGE_TYPES, judgmentBytes, judgmentPlaces, Reviewer } from './judgment.ts'

/** A judgment as `judgments/add` takes it and `judgments/export` returns it. */
export const JudgmentItem = Type.Object({
  recordId: Type.Optional(identifier('Id of the judgment; one that exists is overwritten. Default: a new one.')),
  decision: identifier('Such as `approve` or `reject`; kept as given.'),
  reasoning: text('Why it was decided so.'),
  content: Type.Optional(text('What was reviewed; without it, suggestions go by the reasoning.')),
  contentUserId: Type.Optional(
    identifier('Id of the user who wrote what was reviewed; it is removed with the data of that user.'),
  ),
  contentType: Type.Optional(identifier('Kind of what was reviewed.')),
  confidence: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, default: 1, description: 'How sure the reviewer was.' }),
  ),
  judgeType: Type.Optional(oneOf(JUDGE_TYPES, 'Default: agent where an agent is given, else human.')),
  agent: Type.Optional(DecidingAgent),
  actionUser: Type.Object({
    ...Reviewer.properties,
    isSystem: Type.Optional(Type.Boolean({ description: 'True beside the userId `api`: nobody was named.' })),
  }),
  annotationId: Type.Optional(identifier('Id of the comment thread in which it was decided.')),
  createdAt: Type.Optional(timestamp('When it was decided; a time in the future counts as now. Default: now.')),
  organizationId: Type.Optional(identifier('Default: that of the request.')),
  documentId: Type.Optional(identifier('Default: that of the request; requires an organization.')),
})
export type JudgmentItem = Static<typeof JudgmentItem>

const MAX_ITEMS = 500
const MAX_BYTES = 1024 * 1024

type Row = { [Field in keyof JudgmentItem]: JudgmentItem[Field] | null } & { key: string }

/**
 * Reads the judgments that meet a condition over `judgment j`, in batches of bounded size. A batch is read when the
 * caller has taken the one before. Each judgment comes once; those written meanwhile may be missing.
 */
export async function* readJudgmentItems(db: Db, tenant: ApiKeyTenant, condition: Sql): AsyncGenerator<JudgmentItem[]> {
  for (let after = FIRST_KEY; ; ) {
    const rows = await readBatch(db, tenant, condition, after)
    if (rows.length === 0) return
    yield rows.map(({ key: _, ...row }) => withoutNulls(row))
    after = rows.at(-1)?.key ?? after
  }
}

const readBatch = (db: Db, tenant: ApiKeyTenant, condition: Sql, after: string): Promise<Row[]> =>
  db.query<Row>(sql`
    select j.key, j.record_id as "recordId", j.decision, j.reasoning, j.content, j.content_user_id as "contentUserId",
      j.content_type as "contentType", j.confidence, j.judge_type as "judgeType", j.agent,
      case when j.reviewer_key is null then ${json(SYSTEM_ACTOR)}::jsonb else j.reviewer end as "actionUser",
      j.annotation_id as "annotationId", j.created_at as "createdAt", o.id as "organizationId", d.id as "documentId"
    from (
      select j.*, sum(j.size) over (order by j.key) - j.size as before
      from (
        select j.*, ${judgmentBytes(true)} as size
        from judgment j
        where j.api_key = ${tenant.apiKey} and j.key > ${after}::uuid and ${condition}
        order by j.key
        limit ${MAX_ITEMS}
      ) j
    ) j
    ${judgmentPlaces(tenant)}
    where j.before < ${MAX_BYTES}
    order by j.key`)

/** A null column of a row is an absent field of an item. */
function withoutNulls(row: Omit<Row, 'key'>): JudgmentItem {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as JudgmentItem
}
