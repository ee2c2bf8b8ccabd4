import { sql } from '../../platform/db/db.ts'
import { type ChangeContext, on } from '../../platform/event.ts'
import { type DocumentDeleted, documentsDeleted } from '../documents/document-event.ts'
import { type OrganizationDeleted, organizationsDeleted } from '../organizations/organization-event.ts'
import { BATCH, deleteThreadsOf, ofOrganization, type Position } from './threads-of-place.ts'

/**
 * Deletes the threads of deleted documents, and announces each as if it were deleted by itself. Documents of few
 * threads are emptied together.
 */
export const deleteThreadsOfDocuments = on(documentsDeleted, async (context, documents) => {
  const found = await withThreads(context, documents)
  const total = found.reduce((sum, { count }) => sum + count, 0)
  for (const { documentKeys, ...organization } of groupsOf(found)) {
    const [first, ...more] = documentKeys
    // Of one document, the index knows the order.
    const ofDocuments =
      more.length > 0 ? sql`document_key = any(${documentKeys}::uuid[])` : sql`document_key = ${first}::uuid`
    const after = (position: Position) => sql`${ofDocuments} and ${ofOrganization(position)}`
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

/** The documents that have threads, and how many; one look-up per document. */
async function withThreads({ db, tenant }: ChangeContext, documents: DocumentDeleted[]) {
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
  const counts = new Map(rows.map(({ position, count }) => [position - 1, count]))
  return documents.flatMap((document, index) => {
    const count = counts.get(index)
    return count === undefined ? [] : [{ ...document, count }]
  })
}

/** Documents of one organization, together of at most a batch of threads, or one document. */
interface Group {
  organizationKey: string
  organizationId: string
  documentKeys: string[]
}

/** Groups documents in their order. */
export function groupsOf(documents: (DocumentDeleted & { count: number })[]): Group[] {
  const groups: Group[] = []
  let threads = 0
  for (const { organizationKey, organizationId, documentKey, count } of documents) {
    const last = groups.at(-1)
    if (last?.organizationKey === organizationKey && threads + count <= BATCH) {
      last.documentKeys.push(documentKey)
      threads += count
    } else {
      groups.push({ organizationKey, organizationId, documentKeys: [documentKey] })
      threads = count
    }
  }
  return groups
}

async function countThreads({ db, tenant }: ChangeContext, organizations: OrganizationDeleted[]): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count
    from comment_annotation
    where api_key = ${tenant.apiKey}
      and organization_key = any(${organizations.map(({ organizationKey }) => organizationKey)}::uuid[])`)
  return row?.count ?? 0
}
