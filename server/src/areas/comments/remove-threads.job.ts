import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { type Job, job } from '../../platform/work/job.ts'
import {
  type OrganizationDeleted,
  organizationsEmptied,
  organizationsRetired,
} from '../organizations/organization-event.ts'
import { withOrganizationKey } from '../organizations/organization-key.ts'
import { BEFORE_ALL, deleteNextThreads, ofOrganization, type Position } from './threads-of-place.ts'

/** Small, so that requests of others have their turns. */
const BATCH = 200

/**
 * Removes and announces the threads of a retired organization, a batch per run; each run enqueues the next. After the
 * last, the organization is emptied.
 */
export const removeThreads: Job<OrganizationDeleted & { position: Position }> = job({
  name: 'organization.remove-threads',
  tenantOf: withOrganizationKey,
  async run({ db, tenant, emit, enqueue }, { position, ...organization }) {
    const [retired] = await db.query<{ total: number | null }>(sql`
      select retired_threads as total
      from organization
      where api_key = ${tenant.apiKey} and key = ${organization.organizationKey}`)
    const total = retired?.total ?? 0
    const deleted = { ...organization, goesWith: 'organization' as const, total, after: ofOrganization }
    const { count, next } = await deleteNextThreads({ db, tenant, emit }, deleted, position, BATCH)
    await db.query(sql`
      update organization
      set removed_threads = removed_threads + ${count}::bigint
      where api_key = ${tenant.apiKey} and key = ${organization.organizationKey}`)
    if (next) return enqueue(removeThreads, [{ ...organization, position: next }])
    await emit(organizationsEmptied, [organization])
  },
})

/** Begins the removal of the threads of retired organizations. */
export const removeThreadsOfRetired = on(organizationsRetired, ({ enqueue }, organizations) =>
  enqueue(
    removeThreads,
    organizations.map(({ organizationKey, organizationId }) => ({
      organizationKey,
      organizationId,
      position: BEFORE_ALL,
    })),
  ),
)
