import { sql } from '../../platform/db/db.ts'
import { ensureStatistics } from '../../platform/db/statistics.ts'
import { on } from '../../platform/event.ts'
import { FIRST_KEY } from '../../platform/id.ts'
import { organizationsDeleted } from '../organizations/organization-event.ts'

/** So many documents are deleted by one statement, so that none runs into its time limit. */
const BATCH = 10_000

/** Deletes the documents of deleted organizations, with what is left in them. */
export const deleteDocumentsOfOrganizations = on(organizationsDeleted, async ({ db, tenant }, organizations) => {
  await ensureStatistics(db)
  for (const { organizationKey } of organizations) {
    for (let after = FIRST_KEY; ; ) {
      // Deleted rows stay in the index until the commit, so each batch begins where the one before has ended.
      const batch = await db.query<{ key: string }>(sql`
        with batch as materialized (
          select key
          from document
          where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and key > ${after}::uuid
          order by key
          limit ${BATCH}
        ), deleted as (
          delete from document
          where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
            and key = any(array(select key from batch))
        )
        select key from batch order by key offset ${BATCH - 1}`)
      const [last] = batch
      if (!last) break
      after = last.key
    }
  }
})
