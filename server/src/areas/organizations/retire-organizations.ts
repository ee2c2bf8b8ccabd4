import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import type { OrganizationDeleted } from './organization-event.ts'

/**
 * Marks organizations, whose rows are locked, as deleted, and ends what workers would still send or do for them. Their
 * ids get new keys next (`renewKeys`), under which there is nothing. Jobs remove what their old keys hold.
 */
export async function retireOrganizations(
  db: Db,
  { apiKey }: ApiKeyTenant,
  organizations: OrganizationDeleted[],
): Promise<void> {
  if (organizations.length === 0) return
  const keys = organizations.map(({ organizationKey }) => organizationKey)
  await db.query(sql`
    delete from email
    where api_key = ${apiKey} and organization_key = any(${keys}::uuid[])
      and status in ('collecting', 'waiting', 'sending')`)
  await db.query(sql`
    delete from document_migration where api_key = ${apiKey} and organization_key = any(${keys}::uuid[])`)
  await db.query(sql`
    update organization o
    set retired_at = now_ms(), retired_threads = (
      select coalesce(sum(c.count), 0)
      from comment_annotation_count c
      where c.api_key = ${apiKey} and c.organization_key = o.key)
    where o.api_key = ${apiKey} and o.key = any(${keys}::uuid[])`)
}
