import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { organizationsDeleted } from '../organizations/organization-event.ts'

/** So many folders are deleted by one statement, so that none runs into its time limit. */
const BATCH = 10_000

/**
 * Deletes the folders of deleted organizations, whose documents are gone already. The newest go first: most folders are
 * newer than the one that they are in, so that one seldom takes along others.
 */
export const deleteFoldersOfOrganizations = on(organizationsDeleted, async ({ db, tenant }, organizations) => {
  for (const { organizationKey } of organizations) {
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      // Deleted rows stay in the index until the commit, so each batch begins where the one before has ended.
      const [last] = await db.query<{ seq: number }>(sql`
        with batch as materialized (
          select key, seq
          from folder
          where api_key = ${tenant.apiKey} and organization_key::text = ${organizationKey}::text
            and seq < ${before}::bigint
          order by seq desc
          limit ${BATCH}
        ), deleted as (
          delete from folder
          where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
            and key = any(array(select key from batch))
        )
        select seq from batch order by seq desc offset ${BATCH - 1}`)
      if (!last) break
      before = last.seq
    }
  }
})
