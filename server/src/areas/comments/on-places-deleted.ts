import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'
import { type ChangeContext, on } from '../../platform/event.ts'
import { documentsDeleted } from '../documents/document-event.ts'
import { organizationsDeleted } from '../organizations/organization-event.ts'
import { announceDeleted } from './delete-threads.ts'
import { findPlaces, type Place } from './thread/place.ts'
import { readThreadBatches } from './thread/thread-batches.ts'

/** Threads that are locked together. */
const BATCH = 1_000

/** Deletes the threads of deleted documents, and announces each as if it were deleted by itself. */
export const announceThreadsOfDocuments = on(documentsDeleted, async (context, documents) => {
  const { db, tenant } = context
  for (const organizationId of new Set(documents.map((document) => document.organizationId))) {
    const own = documents.filter((document) => document.organizationId === organizationId)
    const [first] = own
    if (!first) continue
    const keys = sql`unnest(${own.map(({ documentKey }) => documentKey)}::uuid[])`
    const commented = await withThreads(db, tenant, first.organizationKey, keys)
    for (const place of await findPlaces(db, tenant, organizationId, commented)) await announceThreads(context, place)
  }
})

/** The same for deleted organizations. */
export const announceThreadsOfOrganizations = on(organizationsDeleted, async (context, organizations) => {
  const { db, tenant } = context
  for (const { organizationKey, organizationId } of organizations) {
    const all = sql`(
      select key from document where api_key = ${tenant.apiKey} and organization_key = ${organizationKey})`
    const commented = await withThreads(db, tenant, organizationKey, all)
    for (const place of await findPlaces(db, tenant, organizationId, commented)) await announceThreads(context, place)
  }
})

/** The documents that have threads; one look-up per document. */
async function withThreads(db: Db, { apiKey }: ApiKeyTenant, organizationKey: string, keys: Sql): Promise<string[]> {
  const rows = await db.query<{ key: string }>(sql`
    select d.key
    from ${keys} as d (key)
    where exists (
      select
      from comment_annotation a
      where a.api_key = ${apiKey} and a.organization_key = ${organizationKey} and a.document_key = d.key
    )
    order by d.key`)
  return rows.map(({ key }) => key)
}

const FIRST = '00000000-0000-0000-0000-000000000000'

async function announceThreads({ db, tenant, emit }: ChangeContext, place: Place): Promise<void> {
  for (let after = FIRST; ; ) {
    const locked = await db.query<{ key: string }>(sql`
      select key
      from comment_annotation
      where api_key = ${tenant.apiKey} and organization_key = ${place.organizationKey}
        and document_key = ${place.documentKey} and key > ${after}::uuid
      order by key
      limit ${BATCH}
      for no key update`)
    const keys = locked.map(({ key }) => key)
    const selection = { whole: { commentIds: [] } }
    for await (const threads of readThreadBatches(db, tenant, place.organizationKey, keys, selection)) {
      await announceDeleted({ tenant, emit, place, actor: null, triggers: {} }, threads)
    }
    const last = keys.at(-1)
    if (!last || keys.length < BATCH) return
    after = last
  }
}
