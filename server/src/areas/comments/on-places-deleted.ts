import { sql } from '../../platform/db/db.ts'
import { type ChangeContext, on } from '../../platform/event.ts'
import { type DocumentDeleted, documentsDeleted } from '../documents/document-event.ts'
import { type OrganizationDeleted, organizationsDeleted } from '../organizations/organization-event.ts'
import { deleteThreadsOf, ofOrganization, type Position } from './threads-of-place.ts'

/** Deletes the threads of deleted documents, and announces each as if it were deleted by itself. */
export const deleteThreadsOfDocuments = on(documentsDeleted, async (context, documents) => {
  const { found, total } = await withThreads(context, documents)
  for (const { documentKey, ...organization } of found) {
    const after = ({ updatedAt, key }: Position) => sql`
      document_key = ${documentKey}::uuid and (updated_at, key) > (${updatedAt}::bigint, ${key}::uuid)`
    await deleteThreadsOf(context, { ...organization, goesWith: 'document', total, after })
  }
})

/** The same for deleted organizations. */
export const deleteThreadsOfOrganizations = on(organizationsDeleted, async (context, organizations) => {
  const total = await countThreads(context, organizations)
  for (const organization of organizations) {
    await deleteThreadsOf(context, { ...organization, goesWith: 'organization', total, after: ofOrganization })
  }
})

/** The documents that have threads, and how many threads; one look-up per document. */
async function withThreads<Of extends DocumentDeleted>({ db, tenant }: ChangeContext, documents: Of[]) {
  const rows = await db.query<{ position: number; count: number }>(sql`
    select d.position, a.count
    from unnest(
      ${documents.map(({ organizationKey }) => organizationKey)}::uuid[],
      ${documents.map(({ documentKey }) => documentKey)}::uuid[]
    ) with ordinality as d (organization_key, key, position)
    cross join lateral (
      select count(*) as count
      from comment_annotation
      where api_key = ${tenant.apiKey} and organization_key = d.organization_key and document_key = d.key
    ) a
    where a.count > 0`)
  const found = new Set(rows.map(({ position }) => position))
  return {
    found: documents.filter((_, index) => found.has(index + 1)),
    total: rows.reduce((sum, { count }) => sum + count, 0),
  }
}

async function countThreads({ db, tenant }: ChangeContext, organizations: OrganizationDeleted[]): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count
    from comment_annotation
    where api_key = ${tenant.apiKey}
      and organization_key = any(${organizations.map(({ organizationKey }) => organizationKey)}::uuid[])`)
  return row?.count ?? 0
}
