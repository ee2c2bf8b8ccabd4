import { groupBy } from '../../platform/bulk.ts'
import { type Sql, sql } from '../../platform/db/db.ts'
import { type ChangeContext, on } from '../../platform/event.ts'
import { type DocumentDeleted, documentsDeleted } from '../documents/document-event.ts'
import { organizationsDeleted } from '../organizations/organization-event.ts'
import { deleteThreads } from './delete-threads.ts'
import { findPlaces } from './thread/place.ts'
import { readThreadBatches } from './thread/thread-batches.ts'

/** Threads that are locked, announced and deleted together. */
const BATCH = 1_000

/** Deletes the threads of deleted documents, and announces each as if it were deleted by itself. */
export const deleteThreadsOfDocuments = on(documentsDeleted, async (context, documents) => {
  for (const { documentKey, ...organization } of await withThreads(context, documents)) {
    const after = ({ updatedAt, key }: Position) => sql`
      document_key = ${documentKey}::uuid and (updated_at, key) > (${updatedAt}::bigint, ${key}::uuid)`
    await deleteBatches(context, { ...organization, goesWith: 'document', after })
  }
})

/** The same for deleted organizations. */
export const deleteThreadsOfOrganizations = on(organizationsDeleted, async (context, organizations) => {
  const after = ({ documentKey, updatedAt, key }: Position) => sql`
    (document_key, updated_at, key) > (${documentKey}::uuid, ${updatedAt}::bigint, ${key}::uuid)`
  for (const organization of organizations) {
    await deleteBatches(context, { ...organization, goesWith: 'organization', after })
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

/** Where a thread stands in the order in which threads are deleted. */
interface Position {
  documentKey: string
  updatedAt: number
  key: string
}

const FIRST_KEY = '00000000-0000-0000-0000-000000000000'
const BEFORE_ALL: Position = { documentKey: FIRST_KEY, updatedAt: Number.MIN_SAFE_INTEGER, key: FIRST_KEY }

interface Deleted {
  organizationKey: string
  organizationId: string
  goesWith: 'document' | 'organization'
  /** The threads of the place after a position, in the order of `comment_annotation_of_document`. */
  after(position: Position): Sql
}

async function deleteBatches(context: ChangeContext, deleted: Deleted): Promise<void> {
  const { db, tenant } = context
  for (let last = BEFORE_ALL; ; ) {
    // Deleted rows stay in the index until the commit, so each batch begins where the one before has ended.
    const batch = await db.query<Position>(sql`
      select document_key as "documentKey", updated_at as "updatedAt", key
      from comment_annotation
      where api_key = ${tenant.apiKey} and organization_key = ${deleted.organizationKey} and ${deleted.after(last)}
      order by document_key, updated_at, key
      limit ${BATCH}
      for update`)
    if (batch.length > 0) await deleteBatch(context, deleted, batch)
    const end = batch.at(-1)
    if (!end || batch.length < BATCH) return
    last = end
  }
}

async function deleteBatch(
  { db, tenant, emit }: ChangeContext,
  { organizationKey, organizationId, goesWith }: Deleted,
  batch: Position[],
): Promise<void> {
  const documentOf = new Map(batch.map(({ key, documentKey }) => [key, documentKey]))
  const places = await findPlaces(db, tenant, organizationId, [...new Set(documentOf.values())])
  const reading = { whole: { commentIds: [] } }
  for await (const read of readThreadBatches(db, tenant, organizationKey, [...documentOf.keys()], reading)) {
    const threads = groupBy(read, ({ key }) => documentOf.get(key))
    await deleteThreads(
      db,
      { tenant, emit, actor: null, triggers: {}, goesWith },
      places.map((place) => ({ place, threads: threads.get(place.documentKey) ?? [] })),
    )
  }
}
