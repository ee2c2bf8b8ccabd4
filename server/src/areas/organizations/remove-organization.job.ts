import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { ensureStatistics } from '../../platform/db/statistics.ts'
import { deleteOrganizationRows, organizationTables } from '../../platform/db/tenant-tables.ts'
import { on } from '../../platform/event.ts'
import { type Job, job } from '../../platform/work/job.ts'
import {
  type OrganizationDeleted,
  organizationsDeleted,
  organizationsEmptied,
  organizationsRetired,
} from './organization-event.ts'
import { withOrganizationKey } from './organization-key.ts'
import { forgetKeys } from './renewed-keys.ts'

const BATCH_ROWS = 5_000

/**
 * Removes what a retired organization holds besides threads, a bounded batch per run; each run enqueues the next. At
 * last the organization itself goes. Threads of a request that was on its way when it was deleted are announced first.
 */
export const removeOrganization: Job<OrganizationDeleted & { position: number }> = job({
  name: 'organization.remove',
  tenantOf: withOrganizationKey,
  async run({ db, tenant, emit, enqueue }, { position, ...organization }) {
    const { organizationKey, organizationId } = organization
    const { apiKey } = tenant
    if (await lockedHasThreads(db, tenant, organizationKey)) return emit(organizationsRetired, [organization])
    await ensureStatistics(db)
    const tables = await organizationTables(db)
    for (const [offset, table] of tables.slice(position).entries()) {
      const count = await deleteOrganizationRows(db, table, { apiKey, organizationKey }, BATCH_ROWS)
      if (count > 0) return enqueue(removeOrganization, [{ ...organization, position: position + offset }])
    }
    // What was written meanwhile and refers to no row of the organization, such as judgments.
    await emit(organizationsDeleted, [organization])
    await db.query(sql`delete from organization where api_key = ${apiKey} and key = ${organizationKey}`)
    await forgetKeys(db, tenant, [organizationId])
  },
})

/** Removes the rest of organizations whose threads are gone. */
export const removeEmptied = on(organizationsEmptied, ({ enqueue }, organizations) =>
  enqueue(
    removeOrganization,
    organizations.map(({ organizationKey, organizationId }) => ({ organizationKey, organizationId, position: 0 })),
  ),
)

/** Waits for the writers in an organization and holds off others. Returns whether it has threads. */
async function lockedHasThreads(db: Db, { apiKey }: ApiKeyTenant, organizationKey: string): Promise<boolean> {
  await db.query(sql`select from organization where api_key = ${apiKey} and key = ${organizationKey} for update`)
  const [row] = await db.query<{ has: boolean }>(sql`
    select exists (
      select from comment_annotation where api_key = ${apiKey} and organization_key = ${organizationKey}) as has`)
  return row?.has === true
}
