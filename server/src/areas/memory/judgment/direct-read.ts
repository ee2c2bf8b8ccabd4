import type { ApiKeyTenant } from '../../../platform/context.ts'
import { DAY_MS } from '../../../platform/date-range.ts'
import { type Sql, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import type { Static } from '../../../platform/schema.ts'
import { organizationKeyOf } from '../../organizations/organization-key.ts'
import type { MemoryScope } from './indexed-judgment.ts'
import { admits, indexFilters, memoryScopeOf, type SearchFilters, scopeOf } from './scope.ts'

interface Request {
  organizationId?: string
  recencyDays?: number
  filters?: Static<typeof SearchFilters>
}

/** What a list of judgments is read by, without a search. */
export interface DirectRead {
  /** Over `judgment j`. */
  condition: Sql
  order: Sql
}

/**
 * What a request reads without a search: a thread, oldest first, or the last days, newest first. Undefined if neither.
 */
export function directReadOf(
  tenant: ApiKeyTenant,
  { organizationId, recencyDays, filters = {} }: Request,
  scope: MemoryScope,
): DirectRead | undefined {
  const { annotationId, dateRange: _, ...judged } = filters
  const admitted = admits(scope, indexFilters(judged))
  if (annotationId !== undefined && organizationId !== undefined) {
    return {
      condition: sql`${admitted} and ${ofThread(tenant, organizationId, annotationId)}`,
      order: sql`j.created_at, j.key`,
    }
  }
  if (recencyDays === undefined) return undefined
  return {
    condition: sql`${admitted} and j.created_at >= (select now_ms() - ${recencyDays * DAY_MS}::bigint)`,
    order: sql`j.created_at desc, j.key desc`,
  }
}

/** SQL: the condition over `judgment j` of a request for a list. */
export function listCondition(
  tenant: ApiKeyTenant,
  request: Static<typeof SearchFilters> & { organizationId?: string; documentId?: string },
): Sql {
  const { organizationId, annotationId } = request
  const admitted = admits(memoryScopeOf(tenant, scopeOf(undefined, request), request), indexFilters(request))
  if (organizationId === undefined || annotationId === undefined) return admitted
  return sql`${admitted} and ${ofThread(tenant, organizationId, annotationId)}`
}

/** SQL: the condition over `judgment j` that it belongs to a thread, whose id is unique in its organization. */
const ofThread = (tenant: ApiKeyTenant, organizationId: string, annotationId: string): Sql => sql`
  j.organization_key = ${organizationKeyOf(tenant, organizationId)}::uuid and j.annotation_key = ${keyOf(annotationId)}::uuid`
