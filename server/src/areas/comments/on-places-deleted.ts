import { sql } from '../../platform/db/db.ts'
import { type ChangeContext, on } from '../../platform/event.ts'
import { type DocumentDeleted, documentsDeleted } from '../documents/document-event.ts'
import { organizationsDeleted } from '../organizations/organization-event.ts'
import { deleteThreadsOf, ofOrganization, type Position } from './threads-of-place.ts'

/** Deletes the threads of deleted documents, and announces each as if it were deleted by itself. */
export const deleteThreadsOfDocuments = on(documentsDeleted, async (context, documents) => {
  for (const { documentKey, ...organization } of await withThreads(context, documents)) {
    const after = ({ updatedAt, key }: Position) => sql`
      document_key = ${documentKey}::uuid and (updated_at, key) > (${updatedAt}::bigint, ${key}::uuid)`
    await deleteThreadsOf(context, { ...organization, goesWith: 'document', after })
  }
})

/** The same for deleted organizations. */
export const deleteThreadsOfOrganizations = on(organizationsDeleted, async (context, organizations) => {
  for (const organization of organizations) {
    await deleteThreadsOf(context, { ...organization, goesWith: 'organization', after: ofOrganization })
  }
})

/** The documents that have threads; one look-up per document. */
async function withThreads<Of extends DocumentDeleted>({ db, tenant }: ChangeContext, documents: Of[]): Promise<Of[]> {
  const rows = await db.query<{ position: number }>(sql`
    select d.position
    from unnest(
      ${documents.map(({ organizationKey }) => organizationKey)}::uuid[],
      ${documents.map(({ documentKey }) => documentKey)}::uuid[]
    ) with ordinality as d (organization_key, key, position)
    where exists (
      select
      from comment_annotation a
      where a.api_key = ${tenant.apiKey} and a.organization_key = d.organization_key and a.document_key = d.key
    )`)
  const found = new Set(rows.map(({ position }) => position))
  return documents.filter((_, index) => found.has(index + 1))
}
