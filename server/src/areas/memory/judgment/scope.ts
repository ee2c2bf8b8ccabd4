import type { ApiKeyTenant } from '../../../platform/context.ts'
import { DateRange, endsOf } from '../../../platform/date-range.ts'
import { empty, type Sql, sql } from '../../../platform/db/db.ts'
import type { Issue } from '../../../platform/errors.ts'
import { keyOf } from '../../../platform/id.ts'
import { identifier, oneOf, type Static, Type } from '../../../platform/schema.ts'
import { organizationKeyOf } from '../../organizations/organization-key.ts'
import { canonicalDecision, decisionsOf, SIDES } from './decision-polarity.ts'
import { type JudgmentFilters, type MemoryScope, SCOPES } from './indexed-judgment.ts'
import { JUDGE_TYPES } from './judgment.ts'

export const ScopeName = oneOf([...SCOPES], 'How far is searched.')
export type ScopeName = Static<typeof ScopeName>

/** The scope that a caller asks for. */
export const scopeInput = oneOf(
  [...SCOPES],
  'How far is searched: `organization` requires `organizationId`, and `document` requires `documentId` too. Default: the narrowest whose ids are given.',
)

/** The parameters that narrow to an organization or a document of it. */
export const placeInput = {
  organizationId: Type.Optional(identifier('Only judgments of this organization.')),
  documentId: Type.Optional(identifier('Only judgments of this document; requires `organizationId`.')),
}

/** The short names that clients of the hosted API use. */
export const placeAliases = {
  orgId: Type.Optional(identifier('The same as `organizationId`, which wins.')),
  docId: Type.Optional(identifier('The same as `documentId`, which wins.')),
}

/** A request with the ids of its place under their full names. */
export function unaliased<Request extends PlaceIds & { orgId?: string; docId?: string }>(request: Request) {
  const { orgId, docId, ...rest } = request
  return {
    ...rest,
    ...(rest.organizationId === undefined && orgId !== undefined && { organizationId: orgId }),
    ...(rest.documentId === undefined && docId !== undefined && { documentId: docId }),
  }
}

/** The filters that searches and lists of judgments share. */
export const filterInput = {
  documentIds: Type.Optional(
    Type.Array(identifier('Id of a document.'), {
      description: 'Only judgments of these documents, in any organization searched.',
    }),
  ),
  excludeDocumentIds: Type.Optional(
    Type.Array(identifier('Id of a document.'), {
      description: 'No judgments of these documents; those of no document stay.',
    }),
  ),
  decision: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: '`approve` and `approved` are one, as are `reject` and `rejected`.',
    }),
  ),
  side: Type.Optional(
    oneOf(SIDES, 'Only judgments that take this side in a suggestion: `disagree` and `document_rejected` reject too.'),
  ),
  judgeType: Type.Optional(oneOf(JUDGE_TYPES, 'Who decided: a person or an AI agent.')),
  contentType: Type.Optional(identifier('Kind of what was reviewed.')),
  reviewerId: Type.Optional(identifier('Id of the user who decided.')),
  annotationId: Type.Optional(identifier('Only judgments of this comment thread; requires `organizationId`.')),
}

/** The filters of a search, beside its scope. */
export const SearchFilters = Type.Object({ ...filterInput, dateRange: Type.Optional(DateRange) })

interface PlaceIds {
  organizationId?: string
  documentId?: string
}

/** Reports ids that lack an id they need. */
export function placeIssues({ organizationId, documentId }: PlaceIds, annotationId?: string): Issue[] {
  if (organizationId !== undefined) return []
  return [
    ...(documentId === undefined ? [] : [{ path: 'organizationId', message: 'is required with documentId' }]),
    ...(annotationId === undefined ? [] : [{ path: 'organizationId', message: 'is required with annotationId' }]),
  ]
}

/**
 * Reports the ids that an explicit scope lacks. A thread belongs to one document, so its id stands for the document's.
 */
export function scopeIssues(scope: ScopeName | undefined, ids: PlaceIds, annotationId?: string): Issue[] {
  const required = scope === 'document' ? (['organizationId', 'documentId'] as const) : (['organizationId'] as const)
  if (scope === undefined || scope === 'apiKey') return []
  return required
    .filter((id) => ids[id] === undefined && !(id === 'documentId' && annotationId !== undefined))
    .map((path) => ({ path, message: `is required with the scope ${scope}` }))
}

/** The searched scope: the explicit one, else the narrowest that the ids name. */
export function scopeOf(scope: ScopeName | undefined, { organizationId, documentId }: PlaceIds): ScopeName {
  if (scope !== undefined) return scope
  if (organizationId === undefined) return 'apiKey'
  return documentId === undefined ? 'organization' : 'document'
}

/** The keys that a scope is restricted to; ids that it does not need are dropped. */
export function memoryScopeOf(
  tenant: ApiKeyTenant,
  scope: ScopeName,
  { organizationId, documentId }: PlaceIds,
): MemoryScope {
  return {
    ...(scope !== 'apiKey' &&
      organizationId !== undefined && { organization: organizationKeyOf(tenant, organizationId) }),
    ...(scope === 'document' && documentId !== undefined && { document: keyOf(documentId) }),
  }
}

/** The filters in the form of the index. */
export function indexFilters(filters: Static<typeof SearchFilters>): JudgmentFilters {
  const { decision, side, judgeType, contentType, reviewerId, documentIds, excludeDocumentIds, dateRange } = filters
  const ends = dateRange && endsOf(dateRange)
  return {
    ...(decision !== undefined && { decision }),
    ...(side !== undefined && { side }),
    ...(judgeType !== undefined && { judgeType }),
    ...(contentType !== undefined && { contentType }),
    ...(reviewerId !== undefined && { reviewerId: keyOf(reviewerId) }),
    ...(documentIds !== undefined && { documents: documentIds.map(keyOf) }),
    ...(excludeDocumentIds !== undefined && { excludedDocuments: excludeDocumentIds.map(keyOf) }),
    ...(ends && { from: ends.start, to: ends.end }),
  }
}

/** SQL: the condition over `judgment j` that equals the index's scope and filters. */
export function admits({ organization, document }: MemoryScope, filters: JudgmentFilters = {}): Sql {
  const {
    decision,
    side,
    judgeType,
    contentType,
    reviewerId,
    documents,
    excludedDocuments: excluded,
    from,
    to,
  } = filters
  return sql`true
    ${organization === undefined ? empty : sql`and j.organization_key = ${organization}::uuid`}
    ${document === undefined ? empty : sql`and j.document_key = ${document}::uuid`}
    ${decision === undefined ? empty : sql`and j.decision_value = ${canonicalDecision(decision)}`}
    ${side === undefined ? empty : sql`and j.decision_value = any(${decisionsOf(side)})`}
    ${judgeType === undefined ? empty : sql`and j.judge_type = ${judgeType}`}
    ${contentType === undefined ? empty : sql`and j.content_type = ${contentType}`}
    ${reviewerId === undefined ? empty : sql`and j.reviewer_key = ${reviewerId}::uuid`}
    ${documents === undefined ? empty : sql`and j.document_key = any(${documents}::uuid[])`}
    ${excluded === undefined ? empty : sql`and (j.document_key = any(${excluded}::uuid[])) is not true`}
    ${from === undefined ? empty : sql`and j.created_at >= ${from}::bigint`}
    ${to === undefined ? empty : sql`and j.created_at <= ${to}::bigint`}`
}
