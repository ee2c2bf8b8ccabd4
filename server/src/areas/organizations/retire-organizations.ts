import { raw, sql } from '../../platform/db/db.ts'
import type { ChangeContext } from '../../platform/event.ts'
import { type OrganizationDeleted, organizationsRetired } from './organization-event.ts'
import { renewKeys } from './renewed-keys.ts'

/** What workers would still send or do. */
const PENDING = ['email', 'document_migration']

/**
 * Deletes organizations, whose rows are locked, as far as anybody can see: their ids get new keys, under which there is
 * nothing. Jobs remove what their old keys hold.
 */
export async function retireOrganizations(
  { db, tenant, emit }: Pick<ChangeContext, 'db' | 'tenant' | 'emit'>,
  organizations: OrganizationDeleted[],
): Promise<void> {
  if (organizations.length === 0) return
  const keys = organizations.map(({ organizationKey }) => organizationKey)
  await db.query(sql`
    update organization o
    set retired_at = now_ms(), retired_threads = (
      select coalesce(sum(c.count), 0)
      from comment_annotation_count c
      where c.api_key = ${tenant.apiKey} and c.organization_key = o.key)
    where o.api_key = ${tenant.apiKey} and o.key = any(${keys}::uuid[])`)
  for (const table of PENDING) {
    await db.query(sql`
      delete from ${raw(table)} where api_key = ${tenant.apiKey} and organization_key = any(${keys}::uuid[])`)
  }
  await emit(organizationsRetired, organizations)
  // At last, because whoever creates an organization waits for it.
  await renewKeys(
    db,
    tenant,
    organizations.map(({ organizationId }) => organizationId),
  )
}
