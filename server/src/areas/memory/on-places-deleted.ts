import { sql } from '../../platform/db/db.ts'
import { type ChangeContext, on } from '../../platform/event.ts'
import { FIRST_KEY } from '../../platform/id.ts'
import { movedThreads, threadsMoved } from '../comments/change/threads-moved.ts'
import { documentsDeleted } from '../documents/document-event.ts'
import { isAt, locationDataDeleted, locationUpdated } from '../locations/location-event.ts'
import {
  type OrganizationDeleted,
  organizationsDeleted,
  organizationsRetired,
} from '../organizations/organization-event.ts'
import { takeChanges } from './judgment/change-log.ts'
import { deleteJudgmentsWhere } from './judgment/record-judgments.ts'

/** So many judgments are deleted by one statement, so that none runs into its time limit. */
const BATCH = 2_000
const BEFORE_ALL = { createdAt: Number.MIN_SAFE_INTEGER, key: FIRST_KEY }

/** Deletes the judgments of deleted organizations. */
export const deleteJudgmentsOfOrganizations = on(organizationsDeleted, deleteAllOf)

/** The same for retired ones: searches look through all organizations of an API key. */
export const deleteJudgmentsOfRetired = on(organizationsRetired, async (context, organizations) => {
  // Whoever records judgments meanwhile waits for the commit, and then leaves out those of retired organizations.
  await takeChanges(context.db, context.tenant, 0)
  await deleteAllOf(context, organizations)
})

async function deleteAllOf({ db, tenant }: ChangeContext, organizations: OrganizationDeleted[]): Promise<void> {
  for (const { organizationKey } of organizations) {
    for (let last = BEFORE_ALL; ; ) {
      // Deleted rows stay in the index until the commit, so each batch begins where the one before has ended.
      const batch = await db.query<typeof BEFORE_ALL>(sql`
        select created_at as "createdAt", key
        from judgment
        where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
          and (created_at, key) > (${last.createdAt}::bigint, ${last.key}::uuid)
        order by created_at, key
        limit ${BATCH}`)
      const keys = batch.map(({ key }) => key)
      if (keys.length > 0) await deleteJudgmentsWhere(db, tenant, sql`j.key = any(${keys}::uuid[])`)
      const end = batch.at(-1)
      if (!end || batch.length < BATCH) break
      last = end
    }
  }
}

/**
 * Deletes the judgments of deleted documents. They are looked up document by document, however few documents there are.
 */
export const deleteJudgmentsOfDocuments = on(documentsDeleted, async ({ db, tenant }, documents) => {
  const condition = sql`j.key = any(array(
    select o.key
    from unnest(
      ${documents.map(({ organizationKey }) => organizationKey)}::uuid[],
      ${documents.map(({ documentKey }) => documentKey)}::uuid[]
    ) as d (organization_key, document_key)
    cross join lateral (
      select key
      from judgment
      where api_key = ${tenant.apiKey} and organization_key = d.organization_key and document_key = d.document_key
      offset 0
    ) o))`
  await deleteJudgmentsWhere(db, tenant, condition)
})

/** Deletes the judgments on threads at a location whose data is deleted. */
export const deleteJudgmentsOfLocations = on(locationDataDeleted, async ({ db, tenant }, locations) => {
  for (const location of locations) await deleteJudgmentsWhere(db, tenant, isAt(location, location.locationKey))
})

/** Moves judgments with the location of their threads, so that they are deleted with the data of the new one. */
export const moveJudgmentsOfLocations = on(locationUpdated, async ({ db, tenant }, locations) => {
  for (const location of locations) {
    // Indexes hold no locations, so this needs no change number.
    await db.query(sql`
      update judgment
      set location_key = ${location.newKey}::uuid
      where api_key = ${tenant.apiKey} and ${isAt(location, location.oldKey)}`)
  }
})

/** Moves judgments with their thread. */
export const moveJudgmentsOfThreads = on(threadsMoved, async ({ db, tenant }, threads) => {
  await db.query(sql`
    update judgment j
    set location_key = m.new_key
    from ${movedThreads(threads)}
    where j.api_key = ${tenant.apiKey} and j.organization_key = m.organization_key
      and j.annotation_key = m.annotation_key and j.location_key is not distinct from m.old_key`)
})
