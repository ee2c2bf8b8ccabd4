import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { isObject } from '../../../platform/json-value.ts'
import {
  anyObject,
  identifier,
  nullable,
  oneOf,
  personName,
  type Static,
  Type,
  text,
} from '../../../platform/schema.ts'
import { isSystemActor } from '../../users/system-actor.ts'
import { isIdentifier, objectOf } from './custom-data.ts'
import { SCOPES } from './indexed-judgment.ts'
import { INDEXED_CHARACTERS } from './judgment-text.ts'

/** Who decides. */
export const JUDGE_TYPES: ['human', 'agent'] = ['human', 'agent']

/** The AI agent that decided. */
export const DecidingAgent = Type.Object({
  agentId: identifier('Id of the agent.'),
  agentType: Type.Optional(text('Kind of the agent, such as built-in, custom or external.')),
  executionId: Type.Optional(identifier('Id of the run in which it decided.')),
  agentFields: Type.Optional(
    Type.Union([anyObject('What else is known of it.'), Type.Array(Type.Unknown())], {
      description: 'What else is known of it: an object or a list.',
    }),
  ),
})
export type DecidingAgent = Static<typeof DecidingAgent>

/** The agent that a custom value names; null if it names none. Its other fields are kept in place of `agentFields`. */
export function decidingAgentOf(value: unknown): DecidingAgent | null {
  const { agentId, agentType, executionId, agentFields, ...others } = objectOf(value)
  if (!isIdentifier(agentId)) return null
  return {
    agentId,
    ...(typeof agentType === 'string' && { agentType }),
    ...(isIdentifier(executionId) && { executionId }),
    agentFields: isObject(agentFields) || Array.isArray(agentFields) ? agentFields : others,
  }
}

/** The person who decided, as known at the time. */
export const Reviewer = Type.Object({
  userId: identifier('Id of the user.'),
  name: personName('Name of the user.'),
  email: Type.Optional(Type.String({ maxLength: 320, description: 'Address of the user.' })),
})
export type Reviewer = Static<typeof Reviewer>

/** The person who acted, as the reviewer of a judgment; null for the system. */
export const reviewerOf = (actor: Reviewer): Reviewer | null => {
  const { userId, name, email } = actor
  return isSystemActor(actor) ? null : { userId, name, ...(email !== undefined && { email }) }
}

const answered = {
  recordId: Type.String(),
  reasoning: Type.String(),
  decision: Type.String(),
  confidence: Type.Number(),
  actionUser: Type.Partial(Reviewer, { description: 'Who decided; without `userId` where nobody was named.' }),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  agent: nullable(DecidingAgent),
}

const content = Type.Optional(Type.String({ description: 'What was reviewed, with `includeContent`.' }))

/** How many judgments a result has at most. */
export const limitField = (maximum: number, byDefault: number) => {
  const description =
    'How many judgments are answered at most; fewer where these would hold more than `PAGE_LIMIT_BYTES`.'
  return Type.Optional(Type.Integer({ minimum: 1, maximum, default: byDefault, description }))
}

/** Warnings about how a result of the memory came about. */
export const warnings = Type.Array(Type.String(), {
  description:
    'Present where words alone were compared although an embedding model is configured (why), where a search found nothing that fits, where nothing is suggested or answered (why), and of how a question was understood.',
})

/** A judgment as a search returns it. */
export const FoundJudgment = Type.Object({
  ...answered,
  similarity: Type.Number({
    description: 'From 0 to 1, comparable between searches; results are in the order of relevance, which weighs more.',
  }),
  scope: oneOf([...SCOPES], 'The scope that was searched.'),
  content,
  highlights: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'With `includeContent`: up to three sentences of the searched text that share most words with the query.',
    }),
  ),
})
export type FoundJudgment = Static<typeof FoundJudgment>

/** A judgment as `judgments/query` lists it. */
export const Judgment = Type.Object({
  ...answered,
  judgeType: oneOf(JUDGE_TYPES, 'Who decided: a person or an AI agent.'),
  contentType: nullable(Type.String()),
  organizationId: nullable(Type.String()),
  documentId: nullable(Type.String()),
  annotationId: nullable(Type.String({ description: 'Id of the comment thread in which it was decided.' })),
  content,
})
export type Judgment = Static<typeof Judgment>

/** A stored judgment with its key. */
export type StoredJudgment = Judgment & { key: string }

interface Reading {
  condition: Sql
  order: Sql
  limit: number
  maxBytes: number
  withContent?: boolean
}

/**
 * Reads the judgments that meet a condition over `judgment j`, in the given order: as many as hold less than `maxBytes`
 * together, and at least one.
 */
export const readJudgments = (
  db: Db,
  tenant: ApiKeyTenant,
  { condition, order, limit, maxBytes, withContent = false }: Reading,
): Promise<StoredJudgment[]> =>
  db.query<StoredJudgment>(sql`
    select ${columns}${withContent ? sql`, j.content` : sql``}
    from (
      select j.*, sum(j.size) over (order by ${order}) - j.size as bytes_before
      from (
        select j.*, ${judgmentBytes(withContent)} as size
        from judgment j
        where j.api_key = ${tenant.apiKey} and ${condition}
        order by ${order}
        limit ${limit}
      ) j
    ) j
    ${judgmentPlaces(tenant)}
    where j.bytes_before < ${maxBytes}::bigint
    order by ${order}`)

/** SQL: how many bytes `judgment j` holds, about, with what was reviewed or without it. */
export const judgmentBytes = (withContent: boolean): Sql => sql`
  octet_length(j.reasoning) + coalesce(octet_length(j.agent::text), 0)
    + ${withContent ? sql`octet_length(j.content)` : sql`0`}`

/** SQL: the columns of `judgment j` that a search returns. */
export const foundColumns = sql`
  j.record_id as "recordId", j.reasoning, j.decision, j.confidence, j.reviewer as "actionUser",
  j.created_at as "createdAt", j.agent`

/** What a search reads of the judgments that it finds, and of how many: `bytes` hold them. */
export const foundWithin = (bytes: number, withContent: boolean) => ({
  columns: withContent ? sql`${foundColumns}, j.content` : foundColumns,
  within: { bytes, size: judgmentBytes(withContent) },
})

/** SQL: those of a judgment that is quoted: of its texts the part that is compared, and nothing of its agent. */
export const quotedColumns = sql`
  j.record_id as "recordId", left(j.reasoning, ${INDEXED_CHARACTERS}) as reasoning, j.decision, j.confidence,
  j.reviewer as "actionUser", j.created_at as "createdAt", null as agent`

/** SQL: the same, and what was reviewed. */
export const quotedContentColumns = sql`${quotedColumns}, left(j.content, ${INDEXED_CHARACTERS}) as content`

const columns = sql`
  j.key, ${foundColumns}, j.judge_type as "judgeType", j.content_type as "contentType",
  o.id as "organizationId", d.id as "documentId", j.annotation_id as "annotationId"`

/** SQL: joins the organization `o` and the document `d` of `judgment j`. */
export const judgmentPlaces = ({ apiKey }: ApiKeyTenant) => sql`
  left join organization o on o.api_key = ${apiKey} and o.key = j.organization_key
  left join document d on d.api_key = ${apiKey} and d.organization_key = j.organization_key and d.key = j.document_key`

/** Counts the judgments that meet a condition over `judgment j`. */
export async function countJudgments(db: Db, { apiKey }: ApiKeyTenant, condition: Sql): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from judgment j where j.api_key = ${apiKey} and ${condition}`)
  return row?.count ?? 0
}

/** Converts a stored judgment to a result of a search in `scope`. */
export function toFound(
  judgment: Omit<FoundJudgment, 'similarity' | 'scope' | 'highlights'>,
  similarity: number,
  scope: FoundJudgment['scope'],
): FoundJudgment {
  const { recordId, reasoning, decision, confidence, actionUser, createdAt, agent, content } = judgment
  const found = { recordId, reasoning, decision, confidence, actionUser, createdAt, similarity, scope, agent }
  return content === undefined ? found : { ...found, content }
}
