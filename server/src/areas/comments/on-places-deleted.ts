import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'
import { type ChangeContext, on } from '../../platform/event.ts'
import { documentsDeleted } from '../documents/document-event.ts'
import { organizationsDeleted } from '../organizations/organization-event.ts'
import { announceDeleted } from './delete-threads.ts'
import { findPlaces, type Place } from './thread/place.ts'
import { lockThreads } from './thread/thread.ts'

/** Threads that are announced together, and are in memory at the same time. */
const BATCH = 200

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
    const condition = sql`a.document_key = ${place.documentKey} and a.key > ${after}::uuid`
    const threads = await lockThreads(db, tenant, place.organizationKey, {
      condition,
      limit: BATCH,
      whole: { commentIds: [] },
    })
    await announceDeleted({ tenant, emit, place, actor: null, triggers: {} }, threads)
    const last = threads.at(-1)
    if (!last || threads.length < BATCH) return
    after = last.key
  }
}
